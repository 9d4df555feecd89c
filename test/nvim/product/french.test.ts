// The interface with `language: fr`: everything Sidekicks itself says is French, and changes with the configuration.
import { expect, it } from 'vitest';
import { script } from '../support/agents.ts';
import { describeNvim } from '../support/describe-nvim.ts';
import { configure, gate, goToTranscript, lineOf, openGate, say, startWith, type Agents } from './person.ts';

const NBSP = '\u00a0';

/** English words of the interface that must not be seen. */
const ENGLISH =
  /\b(You|Thinking|queued|lines\)|send|commands|asks for|Allow|waiting|stopping|copied|said nothing|not sent)\b/;

describeNvim('Sidekicks in French', (ground) => {
  it('speaks French in the transcript, the winbar, the permission window, messages and system messages', async () => {
    const own = ground.place();
    const agents: Agents = {
      bob: {
        script: [
          { op: 'thought', text: 'Un.\nDeux.' },
          gate(own, 'ask'),
          {
            op: 'permission',
            toolCall: { toolCallId: 't', title: 'ls', kind: 'execute', status: 'pending' },
            options: [{ optionId: 'a', name: 'Oui', kind: 'allow_once' }],
          },
          { op: 'text', text: '```sh\nls\npwd\n```\n' },
          gate(own, 'end'),
        ],
      },
      absent: { command: 'no-such-agent' },
    };
    const { nvim, sidekicks } = await startWith(ground, agents, { place: own, config: { language: 'fr' } });
    const id = await sidekicks.open('bob');
    await nvim.waitForScreen('<CR> envoyer');
    await say(nvim, 'bonjour');
    await nvim.waitForScreen('‣ Vous');
    await nvim.waitForScreen('Réflexion');
    await say(nvim, 'encore');
    await nvim.waitForScreen('1 en attente');
    await nvim.waitForScreen('‣ Vous · en attente');
    openGate(own, 'ask');
    await nvim.waitForScreen('bob demande une permission');
    await nvim.waitForScreen(`demande une permission (1)${NBSP}: gp`);
    await nvim.waitForScreen(`attend votre permission${NBSP}: gp`);
    expect(nvim.screen.text()).toContain('commande  ls');
    expect(nvim.screen.text()).toMatch(/1-9 choisir/);
    expect(nvim.screen.text()).not.toMatch(ENGLISH);
    await nvim.feed('<Esc>');
    await nvim.command('Sidekicks permit 1');
    await nvim.waitForScreen('pwd');
    await nvim.waitForScreen('Réflexion (3 lignes)');
    await goToTranscript(nvim);
    await nvim.feed(`${await lineOf(nvim, 'pwd')}GY`);
    await nvim.waitForScreen('2 lignes copiées');
    await nvim.feed('G<C-c>');
    await nvim.waitForScreen(`non envoyé${NBSP}: annulé`);
    await sidekicks.waitUntilIdle(id);
    await nvim.command('Sidekicks new');
    await nvim.waitForScreen('une nouvelle session de l’agent commence ici');
    await nvim.feed('g?');
    await nvim.waitForScreen('copier');
    expect(nvim.screen.text()).toContain('Touches');
    expect(nvim.screen.text()).not.toMatch(ENGLISH);
    await nvim.feed('q');

    nvim.allowErrors(/aucun agent nommé|sous-commande|introuvable/);
    await nvim.command('Sidekicks open personne');
    await nvim.waitForScreen('aucun agent nommé personne n’est configuré');
    await nvim.command('Sidekicks danse');
    await nvim.waitForScreen('il n’y a pas de sous-commande danse');
    await expect(sidekicks.call('AgentService.Start', { name: 'absent' })).rejects.toThrow(
      'le programme no-such-agent est introuvable',
    );
    const absent = await sidekicks.open('absent');
    await sidekicks.ask(absent, script());
    await nvim.waitForScreen(`absent est injoignable${NBSP}: le programme`);
    expect(nvim.screen.text()).not.toMatch(ENGLISH);
  });

  it('changes with the configuration while it is open', async () => {
    const own = ground.place();
    const agents: Agents = { bob: { script: [{ op: 'thought', text: 'Un.\nDeux.' }] } };
    const { nvim, sidekicks } = await startWith(ground, agents, { place: own });
    const id = await sidekicks.open('bob');
    await sidekicks.ask(id, 'bonjour');
    await nvim.waitForScreen('‣ You');
    await nvim.waitForScreen('Thinking (3 lines)');
    configure(own, agents, { language: 'fr' });
    await nvim.waitForScreen('‣ Vous');
    await nvim.waitForScreen('Réflexion (3 lignes)');
    await nvim.waitForScreen('<CR> envoyer');
    expect(nvim.screen.text()).not.toMatch(ENGLISH);
  });
});
