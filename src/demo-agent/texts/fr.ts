// Owns: every French sentence of the demo agent. Must not: decide anything, or hold code examples.
import type { Texts } from './en.ts';

export const fr: Texts = {
  title: 'Agent de démonstration',
  greeting: (visit: number) => `Bonjour de Sidekicks : visite ${visit}`,
  newFile: (greeting: string) =>
    `# Bonjour\n\nL'agent de démonstration a créé ce fichier. Gardez-le, modifiez-le ou supprimez-le.\n\n<!-- ${greeting} -->\n`,

  modes: {
    ask: { name: 'Demander', description: 'Demande avant chaque modification' },
    auto: { name: 'Automatique', description: 'Modifie sans demander' },
    plan: { name: 'Plan', description: 'Ne fait que des plans, ne modifie rien' },
  },
  options: {
    model: {
      name: 'Modèle',
      description: 'Quel modèle imaginaire répond',
      values: { demo: 'Démo', 'demo-fast': 'Démo pressée' },
    },
    verbosity: {
      name: 'Longueur',
      description: 'Ce que dit la visite guidée',
      values: { brief: 'Courte', normal: 'Normale', detailed: 'Détaillée' },
    },
    thoughts: { name: 'Réflexions', description: "Montre ce que pense l'agent" },
  },
  commands: {
    help: { description: 'Ce que sait faire cet agent' },
    code: { description: 'Du code à copier', hint: 'langage' },
    plan: { description: "Un plan, et rien d'autre", hint: 'but' },
    edit: { description: 'Proposer une petite modification', hint: 'chemin' },
    read: { description: 'Lire un fichier', hint: 'chemin' },
    slow: { description: "Une réponse qui prend son temps (pour essayer l'arrêt)", hint: 'secondes' },
    long: { description: 'Une longue réponse (pour essayer le défilement)', hint: 'lignes' },
    error: { description: 'Une réponse qui échoue', hint: 'message' },
    ask: { description: 'Vous poser une question' },
  },

  thoughts: {
    tour: (name: string) =>
      `On veut voir ce que je sais faire. Je lis ${name}, j'explique, puis je propose une petite modification.`,
    tourWithoutFile: "On veut voir ce que je sais faire, et il n'y a encore aucun fichier. J'en propose un.",
  },
  planned: {
    read: (name: string) => `Lire ${name}`,
    look: 'Chercher un fichier à lire',
    explain: 'Montrer du texte et du code',
    edit: (name: string) => `Proposer une ligne dans ${name}`,
    create: (name: string) => `Proposer un nouveau fichier ${name}`,
  },
  tools: {
    read: (name: string) => `Lire ${name}`,
    edit: (name: string) => `Modifier ${name}`,
    create: (name: string) => `Créer ${name}`,
    wait: (seconds: number) => `Attendre ${seconds} s`,
    count: (lines: number) => `Compter jusqu'à ${lines}`,
    waited: (seconds: number) => `${seconds} s ont passé`,
    moreLines: (count: number) => `… encore ${count} lignes`,
    written: 'Écrit.',
    rejected: "Refusé par l'utilisateur.",
    stopped: 'Arrêté.',
  },
  permission: {
    allow: 'Autoriser cette modification',
    always: 'Autoriser toutes les modifications de cette session',
    reject: 'Refuser',
  },
  notices: {
    auto: {
      title: 'Les modifications se font désormais sans demander',
      description: 'Le mode de cette session est Automatique.',
    },
  },

  tour: {
    welcome:
      '# Bienvenue dans Sidekicks\n\n' +
      "Je suis **l'agent de démonstration**. Il ne me faut ni clé ni réseau, et je parle le même protocole que les vrais " +
      'agents : quoi que vous demandiez, je réponds par cette visite guidée.\n\n',
    images: (names: string) => `Vous m'avez envoyé ${names}. Je ne vois rien, mais un vrai agent le pourrait.\n\n`,
    read: (name: string, size: string, viaClient: boolean) =>
      `J'ai lu \`${name}\` (${size})` +
      (viaClient ? ', tel que dans votre éditeur, texte non enregistré compris.\n\n' : ' sur le disque.\n\n'),
    cannotRead: (name: string, reason: string) => `Je n'ai pas pu lire \`${name}\` : ${reason}.\n\n`,
    code:
      '## Du code à copier\n\nPlacez le curseur sur un bloc et tapez `Y` : ' +
      'vous obtenez ses lignes, sans clôture ni retrait.\n\n',
    list: {
      first: '1. Un bloc dans une liste est en retrait ici, mais pas dans la copie :\n\n',
      second: "2. Tapez `za` sur une réflexion ou un appel d'outil pour le replier.\n\n",
    },
    more:
      '## Autour du code\n\n' +
      '> Citations, *emphase*, ~~ratures~~ et `code` sont du Markdown.\n\n' +
      "| touche | effet |\n| --- | --- |\n| `Y` | copie la région |\n| `<C-c>` | m'arrête |\n| `[[` `]]` | d'un message à l'autre |\n\n" +
      "D'autres écritures passent aussi : naïve, Ελληνικά, 日本語, 😀.\n\n",
    beforeEdit: (name: string) =>
      `## Une petite modification\n\nJe propose une ligne dans \`${name}\`. À vous de décider.\n\n`,
    beforeCreate: (name: string) =>
      `## Un petit fichier\n\nIl n'y a rien à modifier ici : je propose un nouveau fichier \`${name}\`. À vous de décider.\n\n`,
    withoutAsking: 'Le mode est *Automatique* : je ne demande pas.\n\n',
    noGoodPlace: (name: string) => `Un commentaire pourrait casser \`${name}\` : je n'y touche pas.\n\n`,
    onlyPlanning:
      "Le mode est *Plan* : je m'arrête avant la modification. Choisissez le mode *Demander* pour la voir.\n\n",
    done: (name: string, line: number) =>
      `C'est fait : ligne ${line} de \`${name}\`. Si le fichier est ouvert, le changement est dans son tampon et \`u\` l'annule.\n\n`,
    rejected: (name: string) => `Comme vous voulez : \`${name}\` reste tel quel.\n\n`,
    cannotWrite: (name: string, reason: string) => `Je n'ai pas pu écrire \`${name}\` : ${reason}.\n\n`,
    farewell: 'Tapez `/` pour voir ce que je sais faire, ou `/help`.\n',
  },

  help: {
    title: '## Ce que je sais faire\n\n',
    rest: '\nTout le reste donne une visite guidée : je réfléchis, planifie, lis un fichier, montre du code et propose une modification.\n',
  },
  code: {
    one: (language: string) => `Voici du ${language} :\n\n`,
    unknown: (language: string, known: string) => `Je n'ai rien en « ${language} ». Je connais ${known}.\n`,
  },
  plan: {
    intro: (goal: string) => `Un plan pour « ${goal} ». Je ne change rien.\n\n`,
    defaultGoal: 'un petit changement',
    entries: {
      understand: 'Lire le code concerné',
      test: 'Écrire un test qui échoue',
      change: 'Faire le plus petit changement qui le satisfait',
      review: 'Relire toute la différence',
    },
  },
  slow: {
    start: (seconds: number) => `Cela prend ${seconds} s. Tapez \`<C-c>\` pour m'arrêter.\n\n`,
    end: "C'est tout.\n",
  },
  long: {
    intro: (lines: number) => `${lines} lignes suivent.\n\n`,
    line: (number: number) => `Ligne ${number} : la vue reste où est votre curseur.`,
  },
  error: { message: "l'agent de démonstration a échoué, comme demandé" },
  ask: {
    message: 'Quelques questions, pour montrer comment un agent en pose.',
    editor: 'Comment aimez-vous les réponses ?',
    answers: { short: 'Courtes', long: 'Longues', code: 'En code' },
    name: 'Comment vous appeler ?',
    again: 'Redemander un jour',
    accepted: (answer: string) => `Merci. Vous avez répondu :\n\n${answer}`,
    nothing: '- rien\n',
    declined: "Vous avez décliné. C'est aussi une réponse.\n",
    cancelled: 'Vous avez fermé la question sans répondre.\n',
    unavailable: "Cet éditeur ne prend pas les questions d'un agent.\n",
    failed: (reason: string) => `La question n'a pas pu être posée : ${reason}.\n`,
  },
  unknownCommand: (name: string) => `Je ne connais pas \`/${name}\`. `,
  noFile: "Il n'y a ici aucun fichier que je puisse prendre.\n",
  outside: 'il est hors du dossier de travail',

  reasons: {
    missing: "ce fichier n'existe pas",
    binary: "ce n'est pas du texte UTF-8",
    large: 'il est trop grand pour une démonstration',
    folder: "ce n'est pas un fichier",
  },
  size: (lines: number, bytes: number) => `${lines} ${lines > 1 ? 'lignes' : 'ligne'}, ${bytes} octets`,
  picture: (mimeType: string, bytes: number) => `une image (${mimeType}, ${bytes} octets)`,
  busy: 'cette session répond encore',
};
