-- needs programs that know 0001
-- Accounts, samples, submissions. Times are milliseconds since 1970, UTC. Accounts, submissions and layouts are small
-- integers inside the database and names outside of it. JSON is kept as text: it is read whole, and jsonb refuses U+0000.

create table account (
  id int generated always as identity primary key,
  name text collate "C" not null unique,
  password_hash text,
  created bigint not null,
  -- Turn in which a worker last served this account, per lane; 0 never.
  served_small bigint not null default 0,
  served_large bigint not null default 0
);

create table token (
  seq bigint generated always as identity,
  id text collate "C" not null primary key,
  account int not null references account (id),
  name text not null,
  scopes text not null,
  hash text collate "C" not null unique,
  created bigint not null,
  expires bigint,
  last_used bigint,
  revoked boolean not null default false
);

-- accession: next free accession number. turn: next turn of claimNext. Numbers are never given twice.
create table counter (
  name text collate "C" primary key,
  next bigint not null
) with (fillfactor = 10);
insert into counter values ('accession', 1), ('turn', 1);

create table sample_layout (
  id int generated always as identity primary key,
  hash text collate "C" not null unique,
  layout text not null
);

-- No index beside the primary key: a million rows are appended to one b-tree.
create table sample (
  -- The number in the accession.
  id bigint primary key,
  name text not null,
  account int not null,
  release bigint not null,
  -- Null: doc is a JSON document. Else: doc is the row's kept cells, joined by TAB.
  layout int,
  doc text not null,
  author int not null,
  -- 0 JSON_API, 1 FILE_UPLOADER
  via smallint not null,
  submission bigint,
  line int,
  version int not null,
  created bigint not null,
  updated bigint not null,
  submitted bigint,
  admin_status text
);

-- Overwritten versions, spelled as the sample was.
create table sample_version (
  id bigint not null,
  name text not null,
  account int not null,
  release bigint not null,
  layout int,
  doc text not null,
  author int not null,
  via smallint not null,
  submission bigint,
  line int,
  version int not null,
  created bigint not null,
  updated bigint not null,
  submitted bigint,
  admin_status text,
  primary key (id, version)
);

-- Samples whose visible content changed, for the search index: count numbers from first on. One row per run, so a chunk
-- of new rows costs one.
create table change (
  seq bigint generated always as identity primary key,
  first bigint not null,
  count int not null
);

create table curation (
  hash text collate "C" primary key,
  lists text not null
);

create table curation_link (
  id bigint generated always as identity primary key,
  sample bigint not null,
  hash text collate "C" not null,
  curation text collate "C" not null references curation (hash),
  account int not null,
  domain text,
  created bigint not null,
  unique (sample, hash)
);
create index curation_link_curation on curation_link (curation);

create table structured_data (
  id bigint generated always as identity primary key,
  sample bigint not null,
  account int not null,
  domain text,
  type text not null,
  schema text,
  content text not null,
  created bigint not null,
  updated bigint not null
);
create index structured_data_sample on structured_data (sample);

-- A running submission is updated with every chunk: room is left in its page, so that no index has to follow.
create table submission (
  -- In order of arrival.
  id bigint generated always as identity primary key,
  uuid text collate "C" not null unique,
  account int not null,
  admin boolean not null,
  state text not null,
  phase text not null,
  lane text not null,
  file_name text not null,
  file_size bigint not null,
  sha256 text collate "C" not null,
  blob_key text not null,
  options text not null,
  dry_run boolean not null,
  rows int not null default 0,
  rows_created int not null default 0,
  rows_updated int not null default 0,
  rows_unchanged int not null default 0,
  rows_rejected int not null default 0,
  issues text not null default '[]',
  bytes_read bigint not null default 0,
  cursor int not null default 0,
  attempts int not null default 0,
  -- Claims since the cursor last moved, the running one included.
  stalled int not null default 0,
  worker text,
  lease_until bigint,
  cancel_requested boolean not null default false,
  problem text,
  twin_of bigint,
  reserved_from bigint,
  reserved_count bigint,
  created bigint not null,
  updated bigint not null
) with (fillfactor = 50);
create index submission_account on submission (account, id);
create index submission_bytes on submission (account, sha256, id);
create index submission_active on submission (lane, account, id) where state = 'ACTIVE';

create table idempotency_key (
  account int not null,
  key text collate "C" not null,
  submission bigint not null,
  primary key (account, key)
);

-- The ledger: one row per chunk of lines.
create table submission_chunk (
  submission bigint not null,
  from_line int not null,
  to_line int not null,
  outcomes text not null,
  primary key (submission, from_line)
);
