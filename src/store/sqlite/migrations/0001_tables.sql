-- Accounts, samples, submissions. Times are milliseconds since 1970, UTC. Accounts, submissions and layouts are small
-- integers inside the file and names outside of it.

create table account (
  id integer primary key,
  name text not null unique,
  password_hash text,
  created integer not null,
  -- Turn in which a worker last served this account, per lane; 0 never.
  served_small integer not null default 0,
  served_large integer not null default 0
) strict;

create table token (
  id text not null primary key,
  account integer not null references account (id),
  name text not null,
  scopes text not null,
  hash text not null unique,
  created integer not null,
  expires integer,
  last_used integer,
  revoked integer not null default 0
) strict;

-- accession: next free accession number. turn: next turn of claimNext. Numbers are never given twice.
create table counter (
  name text not null primary key,
  next integer not null
) strict, without rowid;
insert into counter values ('accession', 1), ('turn', 1);

create table sample_layout (
  id integer primary key,
  hash text not null unique,
  layout text not null
) strict;

-- No index beside the primary key: a million rows are appended to one b-tree.
create table sample (
  -- The number in the accession.
  id integer primary key,
  name text not null,
  account integer not null,
  release integer not null,
  -- Null: doc is a JSON document. Else: doc is the row's kept cells, joined by TAB.
  layout integer,
  doc text not null,
  author integer not null,
  -- 0 JSON_API, 1 FILE_UPLOADER
  via integer not null,
  submission integer,
  line integer,
  version integer not null,
  created integer not null,
  updated integer not null,
  submitted integer,
  admin_status text
) strict;

-- Overwritten versions, spelled as the sample was.
create table sample_version (
  id integer not null,
  name text not null,
  account integer not null,
  release integer not null,
  layout integer,
  doc text not null,
  author integer not null,
  via integer not null,
  submission integer,
  line integer,
  version integer not null,
  created integer not null,
  updated integer not null,
  submitted integer,
  admin_status text,
  primary key (id, version)
) strict;

-- Samples whose visible content changed, for the search index: count numbers from first on. In order of commit, since
-- SQLite has one writer at a time. One row per run, so a chunk of new rows costs one.
create table change (
  seq integer primary key autoincrement,
  first integer not null,
  count integer not null
) strict;

create table curation (
  hash text not null primary key,
  lists text not null
) strict;

create table curation_link (
  id integer primary key,
  sample integer not null,
  hash text not null,
  curation text not null references curation (hash),
  account integer not null,
  domain text,
  created integer not null,
  unique (sample, hash)
) strict;
create index curation_link_curation on curation_link (curation);

create table structured_data (
  id integer primary key,
  sample integer not null,
  account integer not null,
  domain text,
  type text not null,
  schema text,
  content text not null,
  created integer not null,
  updated integer not null
) strict;
create index structured_data_sample on structured_data (sample);

create table submission (
  -- In order of arrival.
  id integer primary key,
  uuid text not null unique,
  account integer not null,
  admin integer not null,
  state text not null,
  phase text not null,
  lane text not null,
  file_name text not null,
  file_size integer not null,
  sha256 text not null,
  blob_key text not null,
  options text not null,
  dry_run integer not null,
  rows integer not null default 0,
  rows_created integer not null default 0,
  rows_updated integer not null default 0,
  rows_unchanged integer not null default 0,
  rows_rejected integer not null default 0,
  issues text not null default '[]',
  bytes_read integer not null default 0,
  cursor integer not null default 0,
  attempts integer not null default 0,
  -- Claims since the cursor last moved, the running one included.
  stalled integer not null default 0,
  worker text,
  lease_until integer,
  cancel_requested integer not null default 0,
  problem text,
  twin_of integer,
  reserved_from integer,
  reserved_count integer,
  created integer not null,
  updated integer not null
) strict;
create index submission_account on submission (account, id);
create index submission_bytes on submission (account, sha256, id);
create index submission_active on submission (lane, account, id) where state = 'ACTIVE';
create index submission_worker on submission (worker) where worker is not null;

create table idempotency_key (
  account integer not null,
  key text not null,
  submission integer not null,
  primary key (account, key)
) strict, without rowid;

-- The ledger: one row per chunk of lines.
create table submission_chunk (
  submission integer not null,
  from_line integer not null,
  to_line integer not null,
  outcomes text not null,
  primary key (submission, from_line)
) strict;
