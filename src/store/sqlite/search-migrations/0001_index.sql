-- The search index, in a file of its own: filling it never takes the write lock that uploads wait for, and it can be
-- thrown away and rebuilt.

create table entry (
  -- Accession number, as everywhere here.
  id integer primary key,
  account integer not null,
  release integer not null,
  updated integer not null,
  -- 1 when an administrator's status hides it.
  hidden integer not null,
  -- 1 when everybody may see it; set by the indexer when the release date has passed.
  open integer not null
) strict;
create index entry_open on entry (open) where open = 1;
create index entry_account on entry (account);
create index entry_due on entry (release) where open = 0 and hidden = 0;

-- Terms of search-terms.ts, which are ready-made tokens: positions and the text itself are not kept.
create virtual table entry_terms using fts5 (terms, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');

-- One row: how far the store's journal is read (its last finished row, and how many samples of the next), and which
-- numbers a rebuild still has to visit.
create table progress (
  seq integer not null,
  part integer not null,
  scan_next integer not null,
  scan_end integer not null
) strict;
