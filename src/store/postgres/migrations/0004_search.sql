-- The search index. Filling it takes no lock that a write waits for, and it can be emptied and rebuilt.

create table entry (
  -- Accession number, as everywhere here.
  id bigint primary key,
  account int not null,
  release bigint not null,
  updated bigint not null,
  -- True when an administrator's status hides it.
  hidden boolean not null,
  -- True when everybody may see it; set by the indexer when the release date has passed.
  open boolean not null,
  -- Terms of search-terms.ts, which are ready-made tokens without positions.
  terms tsvector not null
);
create index entry_terms on entry using gin (terms);
create index entry_account on entry (account, id);
create index entry_due on entry (release) where not open and not hidden;

-- One row: which numbers a rebuild still has to visit. What the journal holds is indexed and leaves it in one transaction.
create table search_progress (
  scan_next bigint not null,
  scan_end bigint not null
);
insert into search_progress values (1, 0);
