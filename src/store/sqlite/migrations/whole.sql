-- What all scripts of this folder, and the row checks after them, make of an empty file, for new files (docs/decisions/0190).
-- Printed by UPDATE_DOCS=1 npx vitest run test/registry/new-files.
CREATE TABLE account (
  id integer primary key,
  name text not null unique,
  password_hash text,
  created integer not null,
  -- Turn in which a worker last served this account, per lane; 0 never.
  served_small integer not null default 0,
  served_large integer not null default 0
, password_until integer, others_attach integer not null default 0, row_check integer) strict;
CREATE TABLE token (
  id text not null primary key,
  account integer not null references account (id),
  name text not null,
  scopes text not null,
  hash text not null unique,
  created integer not null,
  expires integer,
  last_used integer,
  revoked integer not null default 0
, kind text, parent text, row_check integer) strict;
CREATE TABLE counter (
  name text not null primary key,
  next integer not null
, row_check integer) strict, without rowid;
CREATE TABLE sample_layout (
  id integer primary key,
  hash text not null unique,
  layout text not null
, row_check integer) strict;
CREATE TABLE sample (
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
, crc integer) strict;
CREATE TABLE sample_version (
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
  admin_status text, crc integer,
  primary key (id, version)
) strict;
CREATE TABLE change (
  seq integer primary key autoincrement,
  first integer not null,
  count integer not null
, at integer, account integer not null default 0, row_check integer) strict;
CREATE TABLE curation (
  hash text not null primary key,
  lists text not null
, row_check integer) strict;
CREATE TABLE curation_link (
  id integer primary key,
  sample integer not null,
  hash text not null,
  curation text not null references curation (hash),
  account integer not null,
  domain text,
  created integer not null, declined integer, row_check integer,
  unique (sample, hash)
) strict;
CREATE INDEX curation_link_curation on curation_link (curation);
CREATE TABLE structured_data (
  id integer primary key,
  sample integer not null,
  account integer not null,
  domain text,
  type text not null,
  schema text,
  content text not null,
  created integer not null,
  updated integer not null
, row_check integer) strict;
CREATE INDEX structured_data_sample on structured_data (sample);
CREATE TABLE submission (
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
, original_gone integer, ledger_gone integer, columns text, become_public integer not null default 0, created_public integer not null default 0, setbacks text, next_try integer, alone integer not null default 0, key_space integer, standing text, crc32 integer, turn_of integer, row_check integer) strict;
CREATE INDEX submission_account on submission (account, id);
CREATE INDEX submission_bytes on submission (account, sha256, id);
CREATE INDEX submission_active on submission (lane, account, id) where state = 'ACTIVE';
CREATE INDEX submission_worker on submission (worker) where worker is not null;
CREATE TABLE idempotency_key (
  account integer not null,
  key text not null,
  submission integer not null, row_check integer,
  primary key (account, key)
) strict, without rowid;
CREATE TABLE submission_chunk (
  submission integer not null,
  from_line integer not null,
  to_line integer not null,
  outcomes text not null, row_check integer,
  primary key (submission, from_line)
) strict;
CREATE TABLE webhook (
  id text not null primary key,
  account integer not null references account (id),
  url text not null,
  events text not null,
  secret text not null,
  created integer not null
, host text not null default '', taken integer not null default 0, failures integer not null default 0, rest_until integer not null default 0, filters text, cursor text, looked integer not null default 0, row_check integer) strict;
CREATE INDEX webhook_account on webhook (account);
CREATE TABLE webhook_delivery (
  -- In order of the events.
  number integer primary key,
  id text not null unique,
  webhook text not null references webhook (id) on delete cascade,
  event text not null,
  submission integer not null,
  state text not null default 'waiting',
  created integer not null,
  expires integer not null,
  attempts integer not null default 0,
  next_attempt integer not null,
  -- A process that took it may be sending it until then.
  leased_until integer not null default 0,
  last_attempt integer,
  last_status integer,
  last_error text
, from_cursor text, to_cursor text, changes integer, row_check integer) strict;
CREATE INDEX webhook_delivery_webhook on webhook_delivery (webhook, number);
CREATE INDEX submission_account_created on submission (account, created);
CREATE INDEX token_parent on token (parent) where parent is not null;
CREATE INDEX token_account on token (account, created);
CREATE INDEX webhook_delivery_due on webhook_delivery (webhook, next_attempt, number) where state = 'waiting';
CREATE INDEX webhook_delivery_expires on webhook_delivery (expires) where state = 'waiting';
CREATE INDEX webhook_delivery_leased on webhook_delivery (webhook) where leased_until > 0;
CREATE INDEX submission_state on submission (state, id);
CREATE INDEX submission_account_state on submission (account, state, id);
CREATE INDEX submission_created on submission (created, id);
CREATE TABLE backup (id integer primary key check (id = 1), at integer not null, row_check integer) strict;
CREATE TABLE import_profile (
  account integer not null references account (id),
  name text not null,
  version integer not null,
  shared integer not null default 0,
  document text not null,
  created integer not null,
  removed integer, row_check integer,
  primary key (account, name, version)
) strict;
CREATE INDEX import_profile_shared on import_profile (name) where shared = 1;
CREATE INDEX change_account on change (account, seq);
CREATE TABLE feed (
  number integer primary key autoincrement,
  -- Milliseconds since 1970.
  at integer not null,
  first integer not null,
  count integer not null,
  -- Position in CHANGE_TYPES.
  kind integer not null,
  -- 1 when those hear of it who may read public samples only.
  public integer not null
, row_check integer) strict;
CREATE TABLE release_due (
  release integer not null,
  first integer not null,
  count integer not null, row_check integer,
  primary key (release, first)
) strict, without rowid;
CREATE TABLE mirror (
  id integer primary key check (id = 1),
  source text not null,
  cursor text
, row_check integer) strict;
CREATE INDEX webhook_following on webhook (looked) where cursor is not null;
CREATE TABLE kept_export (
  id text primary key,
  account integer not null references account (id),
  admin integer not null,
  request text not null,
  state text not null,
  attempts integer not null default 0,
  handed_back integer not null default 0,
  lease_until integer,
  created integer not null,
  updated integer not null,
  expires integer not null,
  removed integer not null default 0,
  samples integer,
  bytes integer not null default 0,
  sha256 text,
  problem text
, row_check integer) strict;
CREATE INDEX kept_export_of on kept_export (account, created);
CREATE INDEX kept_export_expiry on kept_export (expires);
CREATE TABLE key_space (
  id integer primary key,
  account integer not null references account (id),
  name text not null, row_check integer,
  unique (account, name)
) strict;
CREATE TABLE sample_key (
  space integer not null,
  key text not null,
  sample integer not null,
  submission integer,
  row_check integer,
  primary key (space, key)
) strict, without rowid;
CREATE UNIQUE INDEX sample_key_sample on sample_key (sample, space);
CREATE INDEX submission_key_space on submission (key_space, id) where state = 'ACTIVE' and key_space is not null;
CREATE TABLE open_relationship (
  sample integer not null,
  type text not null,
  name text not null,
  account integer not null references account (id),
  submission integer not null,
  line integer not null,
  place integer not null,
  target integer,
  completed_by integer, row_check integer,
  primary key (sample, type, name)
) strict, without rowid;
CREATE INDEX open_relationship_waiting on open_relationship (account, name, sample, type) where target is null;
CREATE INDEX open_relationship_known on open_relationship (account, name) where target is not null;
CREATE INDEX open_relationship_submission on open_relationship (submission, sample, type, name) where target is null;
CREATE INDEX open_relationship_completed on open_relationship (completed_by) where completed_by is not null;
CREATE TABLE sample_block (
  number integer primary key,
  cell integer not null,
  first integer not null,
  count integer not null,
  account integer not null,
  author integer not null,
  via integer not null,
  submission integer,
  version integer not null,
  created integer not null,
  updated integer not null,
  submitted integer,
  admin_status text,
  earliest integer not null,
  latest integer not null,
  layout integer,
  longest integer not null,
  crc integer not null,
  body blob not null
) strict;
CREATE INDEX sample_block_cell on sample_block (cell);
CREATE TABLE site (name text primary key, value text not null, row_check integer) without rowid;
CREATE TRIGGER submission_ended after update of state on submission
when new.state <> 'ACTIVE' and old.state = 'ACTIVE'
begin
  insert into webhook_delivery (id, webhook, event, submission, created, expires, next_attempt)
  select lower(hex(randomblob(16))), w.id, e.value, new.id, new.updated, new.updated + 86400000, new.updated
  from webhook w, json_each(w.events) e
  where w.account = new.account and e.value = 'submission.' ||
    case new.state when 'FAILED' then 'failed' when 'CANCELLED' then 'cancelled' else 'completed' end;
end;
CREATE TRIGGER submission_over_at_once after insert on submission
when new.state <> 'ACTIVE'
begin
  insert into webhook_delivery (id, webhook, event, submission, created, expires, next_attempt)
  select lower(hex(randomblob(16))), w.id, e.value, new.id, new.updated, new.updated + 86400000, new.updated
  from webhook w, json_each(w.events) e
  where w.account = new.account and e.value = 'submission.failed';
end;
CREATE TRIGGER open_relationship_checked_insert after insert on open_relationship begin update open_relationship set row_check = sum_of_row(new."sample", new."type", new."name", new."account", new."submission", new."line", new."place", new."target", new."completed_by") where "sample" = new."sample" and "type" = new."type" and "name" = new."name"; end;
CREATE TRIGGER open_relationship_checked_update after update of "sample", "type", "name", "account", "submission", "line", "place", "target", "completed_by" on open_relationship begin update open_relationship set row_check = sum_of_row(new."sample", new."type", new."name", new."account", new."submission", new."line", new."place", new."target", new."completed_by") where "sample" = new."sample" and "type" = new."type" and "name" = new."name"; end;
CREATE TRIGGER idempotency_key_checked_insert after insert on idempotency_key begin update idempotency_key set row_check = sum_of_row(new."account", new."key", new."submission") where "account" = new."account" and "key" = new."key"; end;
CREATE TRIGGER idempotency_key_checked_update after update of "account", "key", "submission" on idempotency_key begin update idempotency_key set row_check = sum_of_row(new."account", new."key", new."submission") where "account" = new."account" and "key" = new."key"; end;
CREATE TRIGGER mirror_checked_insert after insert on mirror begin update mirror set row_check = sum_of_row(new."id", new."source", new."cursor") where rowid = new.rowid; end;
CREATE TRIGGER mirror_checked_update after update of "id", "source", "cursor" on mirror begin update mirror set row_check = sum_of_row(new."id", new."source", new."cursor") where rowid = new.rowid; end;
CREATE TRIGGER structured_data_checked_insert after insert on structured_data begin update structured_data set row_check = sum_of_row(new."id", new."sample", new."account", new."domain", new."type", new."schema", new."content", new."created", new."updated") where rowid = new.rowid; end;
CREATE TRIGGER structured_data_checked_update after update of "id", "sample", "account", "domain", "type", "schema", "content", "created", "updated" on structured_data begin update structured_data set row_check = sum_of_row(new."id", new."sample", new."account", new."domain", new."type", new."schema", new."content", new."created", new."updated") where rowid = new.rowid; end;
CREATE TRIGGER feed_checked_insert after insert on feed begin update feed set row_check = sum_of_row(new."number", new."at", new."first", new."count", new."kind", new."public") where rowid = new.rowid; end;
CREATE TRIGGER feed_checked_update after update of "number", "at", "first", "count", "kind", "public" on feed begin update feed set row_check = sum_of_row(new."number", new."at", new."first", new."count", new."kind", new."public") where rowid = new.rowid; end;
CREATE TRIGGER import_profile_checked_insert after insert on import_profile begin update import_profile set row_check = sum_of_row(new."account", new."name", new."version", new."shared", new."document", new."created", new."removed") where rowid = new.rowid; end;
CREATE TRIGGER import_profile_checked_update after update of "account", "name", "version", "shared", "document", "created", "removed" on import_profile begin update import_profile set row_check = sum_of_row(new."account", new."name", new."version", new."shared", new."document", new."created", new."removed") where rowid = new.rowid; end;
CREATE TRIGGER submission_chunk_checked_insert after insert on submission_chunk begin update submission_chunk set row_check = sum_of_row(new."submission", new."from_line", new."to_line", new."outcomes") where rowid = new.rowid; end;
CREATE TRIGGER submission_chunk_checked_update after update of "submission", "from_line", "to_line", "outcomes" on submission_chunk begin update submission_chunk set row_check = sum_of_row(new."submission", new."from_line", new."to_line", new."outcomes") where rowid = new.rowid; end;
CREATE TRIGGER curation_link_checked_insert after insert on curation_link begin update curation_link set row_check = sum_of_row(new."id", new."sample", new."hash", new."curation", new."account", new."domain", new."created", new."declined") where rowid = new.rowid; end;
CREATE TRIGGER curation_link_checked_update after update of "id", "sample", "hash", "curation", "account", "domain", "created", "declined" on curation_link begin update curation_link set row_check = sum_of_row(new."id", new."sample", new."hash", new."curation", new."account", new."domain", new."created", new."declined") where rowid = new.rowid; end;
CREATE TRIGGER kept_export_checked_insert after insert on kept_export begin update kept_export set row_check = sum_of_row(new."id", new."account", new."admin", new."request", new."state", new."attempts", new."handed_back", new."lease_until", new."created", new."updated", new."expires", new."removed", new."samples", new."bytes", new."sha256", new."problem") where rowid = new.rowid; end;
CREATE TRIGGER kept_export_checked_update after update of "id", "account", "admin", "request", "state", "attempts", "handed_back", "lease_until", "created", "updated", "expires", "removed", "samples", "bytes", "sha256", "problem" on kept_export begin update kept_export set row_check = sum_of_row(new."id", new."account", new."admin", new."request", new."state", new."attempts", new."handed_back", new."lease_until", new."created", new."updated", new."expires", new."removed", new."samples", new."bytes", new."sha256", new."problem") where rowid = new.rowid; end;
CREATE TRIGGER webhook_checked_insert after insert on webhook begin update webhook set row_check = sum_of_row(new."id", new."account", new."url", new."events", new."secret", new."created", new."host", new."taken", new."failures", new."rest_until", new."filters", new."cursor", new."looked") where rowid = new.rowid; end;
CREATE TRIGGER webhook_checked_update after update of "id", "account", "url", "events", "secret", "created", "host", "taken", "failures", "rest_until", "filters", "cursor", "looked" on webhook begin update webhook set row_check = sum_of_row(new."id", new."account", new."url", new."events", new."secret", new."created", new."host", new."taken", new."failures", new."rest_until", new."filters", new."cursor", new."looked") where rowid = new.rowid; end;
CREATE TRIGGER submission_checked_insert after insert on submission begin update submission set row_check = sum_of_row(new."id", new."uuid", new."account", new."admin", new."state", new."phase", new."lane", new."file_name", new."file_size", new."sha256", new."blob_key", new."options", new."dry_run", new."rows", new."rows_created", new."rows_updated", new."rows_unchanged", new."rows_rejected", new."issues", new."bytes_read", new."cursor", new."attempts", new."stalled", new."worker", new."lease_until", new."cancel_requested", new."problem", new."twin_of", new."reserved_from", new."reserved_count", new."created", new."updated", new."original_gone", new."ledger_gone", new."columns", new."become_public", new."created_public", new."setbacks", new."next_try", new."alone", new."key_space", new."standing", new."crc32", new."turn_of") where rowid = new.rowid; end;
CREATE TRIGGER submission_checked_update after update of "id", "uuid", "account", "admin", "state", "phase", "lane", "file_name", "file_size", "sha256", "blob_key", "options", "dry_run", "rows", "rows_created", "rows_updated", "rows_unchanged", "rows_rejected", "issues", "bytes_read", "cursor", "attempts", "stalled", "worker", "lease_until", "cancel_requested", "problem", "twin_of", "reserved_from", "reserved_count", "created", "updated", "original_gone", "ledger_gone", "columns", "become_public", "created_public", "setbacks", "next_try", "alone", "key_space", "standing", "crc32", "turn_of" on submission begin update submission set row_check = sum_of_row(new."id", new."uuid", new."account", new."admin", new."state", new."phase", new."lane", new."file_name", new."file_size", new."sha256", new."blob_key", new."options", new."dry_run", new."rows", new."rows_created", new."rows_updated", new."rows_unchanged", new."rows_rejected", new."issues", new."bytes_read", new."cursor", new."attempts", new."stalled", new."worker", new."lease_until", new."cancel_requested", new."problem", new."twin_of", new."reserved_from", new."reserved_count", new."created", new."updated", new."original_gone", new."ledger_gone", new."columns", new."become_public", new."created_public", new."setbacks", new."next_try", new."alone", new."key_space", new."standing", new."crc32", new."turn_of") where rowid = new.rowid; end;
CREATE TRIGGER curation_checked_insert after insert on curation begin update curation set row_check = sum_of_row(new."hash", new."lists") where rowid = new.rowid; end;
CREATE TRIGGER curation_checked_update after update of "hash", "lists" on curation begin update curation set row_check = sum_of_row(new."hash", new."lists") where rowid = new.rowid; end;
CREATE TRIGGER change_checked_insert after insert on change begin update change set row_check = sum_of_row(new."seq", new."first", new."count", new."at", new."account") where rowid = new.rowid; end;
CREATE TRIGGER change_checked_update after update of "seq", "first", "count", "at", "account" on change begin update change set row_check = sum_of_row(new."seq", new."first", new."count", new."at", new."account") where rowid = new.rowid; end;
CREATE TRIGGER key_space_checked_insert after insert on key_space begin update key_space set row_check = sum_of_row(new."id", new."account", new."name") where rowid = new.rowid; end;
CREATE TRIGGER key_space_checked_update after update of "id", "account", "name" on key_space begin update key_space set row_check = sum_of_row(new."id", new."account", new."name") where rowid = new.rowid; end;
CREATE TRIGGER backup_checked_insert after insert on backup begin update backup set row_check = sum_of_row(new."id", new."at") where rowid = new.rowid; end;
CREATE TRIGGER backup_checked_update after update of "id", "at" on backup begin update backup set row_check = sum_of_row(new."id", new."at") where rowid = new.rowid; end;
CREATE TRIGGER webhook_delivery_checked_insert after insert on webhook_delivery begin update webhook_delivery set row_check = sum_of_row(new."number", new."id", new."webhook", new."event", new."submission", new."state", new."created", new."expires", new."attempts", new."next_attempt", new."leased_until", new."last_attempt", new."last_status", new."last_error", new."from_cursor", new."to_cursor", new."changes") where rowid = new.rowid; end;
CREATE TRIGGER webhook_delivery_checked_update after update of "number", "id", "webhook", "event", "submission", "state", "created", "expires", "attempts", "next_attempt", "leased_until", "last_attempt", "last_status", "last_error", "from_cursor", "to_cursor", "changes" on webhook_delivery begin update webhook_delivery set row_check = sum_of_row(new."number", new."id", new."webhook", new."event", new."submission", new."state", new."created", new."expires", new."attempts", new."next_attempt", new."leased_until", new."last_attempt", new."last_status", new."last_error", new."from_cursor", new."to_cursor", new."changes") where rowid = new.rowid; end;
CREATE TRIGGER sample_layout_checked_insert after insert on sample_layout begin update sample_layout set row_check = sum_of_row(new."id", new."hash", new."layout") where rowid = new.rowid; end;
CREATE TRIGGER sample_layout_checked_update after update of "id", "hash", "layout" on sample_layout begin update sample_layout set row_check = sum_of_row(new."id", new."hash", new."layout") where rowid = new.rowid; end;
CREATE TRIGGER site_checked_insert after insert on site begin update site set row_check = sum_of_row(new."name", new."value") where "name" = new."name"; end;
CREATE TRIGGER site_checked_update after update of "name", "value" on site begin update site set row_check = sum_of_row(new."name", new."value") where "name" = new."name"; end;
CREATE TRIGGER release_due_checked_insert after insert on release_due begin update release_due set row_check = sum_of_row(new."release", new."first", new."count") where "release" = new."release" and "first" = new."first"; end;
CREATE TRIGGER release_due_checked_update after update of "release", "first", "count" on release_due begin update release_due set row_check = sum_of_row(new."release", new."first", new."count") where "release" = new."release" and "first" = new."first"; end;
CREATE TRIGGER account_checked_insert after insert on account begin update account set row_check = sum_of_row(new."id", new."name", new."password_hash", new."created", new."served_small", new."served_large", new."password_until", new."others_attach") where rowid = new.rowid; end;
CREATE TRIGGER account_checked_update after update of "id", "name", "password_hash", "created", "served_small", "served_large", "password_until", "others_attach" on account begin update account set row_check = sum_of_row(new."id", new."name", new."password_hash", new."created", new."served_small", new."served_large", new."password_until", new."others_attach") where rowid = new.rowid; end;
CREATE TRIGGER token_checked_insert after insert on token begin update token set row_check = sum_of_row(new."id", new."account", new."name", new."scopes", new."hash", new."created", new."expires", new."last_used", new."revoked", new."kind", new."parent") where rowid = new.rowid; end;
CREATE TRIGGER token_checked_update after update of "id", "account", "name", "scopes", "hash", "created", "expires", "last_used", "revoked", "kind", "parent" on token begin update token set row_check = sum_of_row(new."id", new."account", new."name", new."scopes", new."hash", new."created", new."expires", new."last_used", new."revoked", new."kind", new."parent") where rowid = new.rowid; end;
CREATE TRIGGER counter_checked_insert after insert on counter begin update counter set row_check = sum_of_row(new."name", new."next") where "name" = new."name"; end;
CREATE TRIGGER counter_checked_update after update of "name", "next" on counter begin update counter set row_check = sum_of_row(new."name", new."next") where "name" = new."name"; end;
insert into counter (name, next, row_check) values ('accession', 1, 1398594679);
insert into counter (name, next, row_check) values ('turn', 1, -1279217466);
insert into counter (name, next, row_check) values ('unchecked', 1, 1239651846);
pragma user_version = 27;
