-- What all scripts of this folder, and the row checks after them, make of an empty file, for new files (docs/decisions/0190).
-- Printed by UPDATE_DOCS=1 npx vitest run test/registry/new-files.
CREATE TABLE progress (
  seq integer not null,
  scan_next integer not null,
  scan_end integer not null
, begun integer not null default 0, worker text, careful integer not null default 0, moved integer not null default 0, turn integer not null default 0, made integer not null default 0, row_check integer) strict;
CREATE TABLE name_only (
  id integer primary key,
  reason text not null,
  at integer not null
, row_check integer) strict;
CREATE TABLE taken (
  seq integer primary key,
  samples integer not null
, row_check integer) strict;
CREATE TABLE facet_key (
  id integer primary key,
  code integer not null unique
, row_check integer) strict;
CREATE TABLE facet_block (
  id integer primary key,
  data blob not null
, sum integer not null default 0) strict;
CREATE TABLE segment (
  id integer primary key,
  -- Numbers span * 65536 and on.
  span integer not null,
  -- Order of segments: that of the newest sample of it.
  age integer not null,
  samples integer not null,
  terms integer not null,
  -- It has up to 2 ** bits pages.
  bits integer not null,
  -- The owner of all of its samples; null where there are several.
  account integer,
  -- How many an administrator's status hides, and the first and the last release.
  hidden integer not null,
  earliest integer not null,
  latest integer not null,
  -- 1 when an older segment holds one of its samples, too.
  overlaps integer not null,
  -- Its samples, as slots of the span.
  slots blob not null
, named integer not null default 0, row_check integer) strict;
CREATE INDEX segment_span on segment (span, age);
CREATE TABLE posting_page (
  id integer primary key,
  data blob not null,
  sum integer not null
) strict;
CREATE TABLE merging (
  id integer primary key,
  span integer not null,
  bits integer not null,
  -- Pages before this one are written.
  next_page integer not null,
  -- On them.
  terms integer not null,
  -- Numbers of the segments, as a list of JSON.
  sources text not null
, row_check integer) strict;
CREATE INDEX segment_unnamed on segment (span) where named = 0;
CREATE TABLE name_filter (
  id integer primary key,
  data blob not null,
  sum integer not null
) strict;
CREATE INDEX segment_samples on segment (span, samples);
CREATE TRIGGER segment_checked_insert after insert on segment begin update segment set row_check = sum_of_row(new."id", new."span", new."age", new."samples", new."terms", new."bits", new."account", new."hidden", new."earliest", new."latest", new."overlaps", new."slots", new."named") where rowid = new.rowid; end;
CREATE TRIGGER segment_checked_update after update of "id", "span", "age", "samples", "terms", "bits", "account", "hidden", "earliest", "latest", "overlaps", "slots", "named" on segment begin update segment set row_check = sum_of_row(new."id", new."span", new."age", new."samples", new."terms", new."bits", new."account", new."hidden", new."earliest", new."latest", new."overlaps", new."slots", new."named") where rowid = new.rowid; end;
CREATE TRIGGER merging_checked_insert after insert on merging begin update merging set row_check = sum_of_row(new."id", new."span", new."bits", new."next_page", new."terms", new."sources") where rowid = new.rowid; end;
CREATE TRIGGER merging_checked_update after update of "id", "span", "bits", "next_page", "terms", "sources" on merging begin update merging set row_check = sum_of_row(new."id", new."span", new."bits", new."next_page", new."terms", new."sources") where rowid = new.rowid; end;
CREATE TRIGGER facet_key_checked_insert after insert on facet_key begin update facet_key set row_check = sum_of_row(new."id", new."code") where rowid = new.rowid; end;
CREATE TRIGGER facet_key_checked_update after update of "id", "code" on facet_key begin update facet_key set row_check = sum_of_row(new."id", new."code") where rowid = new.rowid; end;
CREATE TRIGGER progress_checked_insert after insert on progress begin update progress set row_check = sum_of_row(new."seq", new."scan_next", new."scan_end", new."begun", new."worker", new."careful", new."moved", new."turn", new."made") where rowid = new.rowid; end;
CREATE TRIGGER progress_checked_update after update of "seq", "scan_next", "scan_end", "begun", "worker", "careful", "moved", "turn", "made" on progress begin update progress set row_check = sum_of_row(new."seq", new."scan_next", new."scan_end", new."begun", new."worker", new."careful", new."moved", new."turn", new."made") where rowid = new.rowid; end;
CREATE TRIGGER name_only_checked_insert after insert on name_only begin update name_only set row_check = sum_of_row(new."id", new."reason", new."at") where rowid = new.rowid; end;
CREATE TRIGGER name_only_checked_update after update of "id", "reason", "at" on name_only begin update name_only set row_check = sum_of_row(new."id", new."reason", new."at") where rowid = new.rowid; end;
CREATE TRIGGER taken_checked_insert after insert on taken begin update taken set row_check = sum_of_row(new."seq", new."samples") where rowid = new.rowid; end;
CREATE TRIGGER taken_checked_update after update of "seq", "samples" on taken begin update taken set row_check = sum_of_row(new."seq", new."samples") where rowid = new.rowid; end;
pragma user_version = 9;
