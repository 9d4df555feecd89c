// The small project that the tour's agent works on; it lies in a folder that is thrown away.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const greeting = `-- Greets whoever is there.
local M = {}

function M.greet(name)
  return 'Hello, ' .. name .. '!'
end

return M
`;

/** @param {string} folder @returns {string} where the project lies */
export const makeWorkspace = (folder) => {
  const project = join(folder, 'project');
  // A project of its own: looking upward must end here and not at the repository around it.
  mkdirSync(join(project, '.git'), { recursive: true });
  writeFileSync(join(project, 'greeting.lua'), greeting);
  writeFileSync(join(project, 'README.md'), '# Greeting\n\nSays hello.\n');
  return project;
};
