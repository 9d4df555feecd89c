// The steps that bring a history file to today's form. Appended, never edited (DESIGN invariant 11).

/** Marks a file as ours: the letters SDKS in SQLite's application_id. */
export const applicationId = 0x53444b53;

export const migrations: readonly string[] = [
  `create table conversations (
     id text primary key, name text not null, description text not null, direct text not null, project text not null
   ) without rowid;
   create table members (
     conversation text not null references conversations on delete cascade, agent text not null, position integer not null,
     primary key (conversation, agent)
   ) without rowid;
   create table messages (
     id text primary key, conversation text not null references conversations on delete cascade,
     position text not null, created_at integer not null, role text not null, agent text not null, body text not null
   );
   create index messages_in_order on messages (conversation, position);
   create table sessions (
     conversation text not null references conversations on delete cascade, agent text not null,
     session text not null, last_seen text not null, primary key (conversation, agent)
   ) without rowid;
   create table drafts (conversation text primary key references conversations on delete cascade, body text not null) without rowid;
   create table commands (agent text primary key, body text not null) without rowid;`,
  // Several Neovims on one file, and the search. Quick also for a file of a million messages: those with an id below
  // `backlog` are made searchable bit by bit while the file is in use.
  `alter table conversations add column since text not null default '';
   alter table messages add column session text not null default '';
   create table answered (
     conversation text not null references conversations on delete cascade, agent text not null, position text not null,
     primary key (conversation, agent)
   ) without rowid;
   insert into answered select * from (
     select conversation, agent, (
       select position from messages m
       where m.conversation = members.conversation and role = 'agent' and m.agent = members.agent order by position desc limit 1
     ) as position from members
   ) where position is not null;
   alter table sessions rename to old_sessions;
   create table sessions (
     conversation text not null references conversations on delete cascade, agent text not null, run text not null,
     session text not null, last_seen text not null, saved_at integer not null, primary key (conversation, agent, run)
   ) without rowid;
   insert into sessions select conversation, agent, '', session,
     coalesce((select max(position) from messages m where m.conversation = old_sessions.conversation), ''), 0 from old_sessions;
   drop table old_sessions;
   create table claims (
     conversation text primary key references conversations on delete cascade, agent text not null, run text not null
   ) without rowid;
   create table journal (
     sequence integer primary key autoincrement, kind text not null, conversation text not null, message text not null,
     run text not null
   );
   create table texts (
     number integer primary key, message text not null unique references messages on delete cascade, body text not null
   );
   create virtual table words using fts5 (
     body, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co M*'"
   );
   create table backlog (before text not null);
   insert into backlog select '~' where exists (select 1 from messages);`,
  // Each Neovim keeps what is being written in it.
  `alter table drafts rename to old_drafts;
   create table drafts (
     conversation text not null references conversations on delete cascade, run text not null, body text not null,
     primary key (conversation, run)
   ) without rowid;
   insert into drafts select conversation, '', body from old_drafts;
   drop table old_drafts;`,
  // What is kept waits for no merge of the index: those are made in between (upkeep.ts). So many small pieces beside each
  // other are many more than come together between two of them.
  `insert into words (words, rank) values ('automerge', 0), ('crisismerge', 200);`,
  // A long conversation is emptied bit by bit: its messages up to the position `cleared` are out of sight and on their way
  // out, and one that is `deleted` goes with the last of them.
  `alter table conversations add column cleared text not null default '';
   alter table conversations add column deleted integer not null default 0;`,
];

/** Takes away all that is kept of a person, and says so to whoever has the file open. A new table belongs here too. */
export const emptyTables = `delete from conversations; delete from texts; delete from drafts; delete from commands; delete from backlog;
   insert into words (words) values ('delete-all');
   delete from journal; insert into journal (kind, conversation, message, run) values ('everything', '', '', '');`;
