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
];

/** Takes away all that is kept of a person; what refers to a conversation goes with it. A new table belongs here too. */
export const emptyTables = 'delete from conversations; delete from drafts; delete from commands;';
