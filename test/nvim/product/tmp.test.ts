import { it } from 'vitest';
import { execSync } from 'node:child_process';
import Database from 'better-sqlite3';
import { describeNvim } from '../support/describe-nvim.ts';
import { Sidekicks } from '../support/sidekicks.ts';
import { startWith } from './person.ts';
const INPUT = 'sidekicks://agent/bob/input';
const dump = (root: string) => { try {
  const f = execSync(`find ${root} -name history.db`).toString().trim();
  return JSON.stringify(new Database(f, {readonly:true}).prepare('select * from drafts').all()); } catch (e) { return String(e); } };
describeNvim('tmp', (ground) => {
  for (let i = 0; i < 12; i++) it('draft ' + i, async () => {
    const own = ground.place();
    const { nvim, sidekicks } = await startWith(ground, { bob: {} }, { place: own });
    await sidekicks.open('bob');
    await nvim.feed('half a thought');
    await nvim.bufferLines(INPUT);
    await nvim.lua(`
    local h=require('sidekicks.host'); local r=h.request
h.request=function(m,p,c) vim.fn.writefile({m..vim.inspect(p)..tostring(vim.v.exiting)},'${own.root}/req','a') return r(m,p,c) end
local n=vim.rpcnotify
vim.rpcnotify=function(...) local a={pcall(n,...)} vim.fn.writefile({vim.inspect(a)},'${own.root}/req','a') return unpack(a,2) end`);
    await nvim.quit();
    const at = performance.now();
    const marks: string[] = [];
    while (performance.now() - at < 1500) { const d = dump(own.root); if (d !== marks.at(-1)) { marks.push(d); console.log(i, Math.round(performance.now()-at), d);} await new Promise(r=>setTimeout(r,20)); }
    console.log(execSync(`cat ${own.root}/req; cat ${own.root}/state/sidekicks/host.log || true`).toString());
  });
});
