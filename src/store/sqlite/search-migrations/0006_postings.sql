-- Terms as postings in segments (src/store/postings). Owner, release and last change stand in the columns alone. What an index of before
-- holds is made anew from the samples.
drop table entry_terms;
drop table entry;
delete from facet_block;
delete from facet_key;
delete from name_only;
delete from taken;
delete from progress;
alter table progress drop column columns_moved;
alter table progress drop column refilling;
alter table facet_block add column sum integer not null default 0;

-- The postings of some samples of a span of numbers. A sample that several segments of a span hold is what the newest says.
create table segment (
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
) strict;
create index segment_span on segment (span, age);

-- id = segment * 1048576 + number of the page; every page of a segment is there. sum: of number and bytes (search-damage.ts).
create table posting_page (
  id integer primary key,
  data blob not null,
  sum integer not null
) strict;

-- The segment that is being made of others of its span, page by page; one row at most.
create table merging (
  id integer primary key,
  span integer not null,
  bits integer not null,
  -- Pages before this one are written.
  next_page integer not null,
  -- On them.
  terms integer not null,
  -- Numbers of the segments, as a list of JSON.
  sources text not null
) strict;
