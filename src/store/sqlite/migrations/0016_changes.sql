-- The log of changes to samples, for those who follow the registry: kept for ever, in order of commit, since SQLite has
-- one writer at a time. One row per run of neighbours with the same change.
create table feed (
  number integer primary key autoincrement,
  -- Milliseconds since 1970.
  at integer not null,
  first integer not null,
  count integer not null,
  -- Position in CHANGE_TYPES.
  kind integer not null,
  -- 1 when those hear of it who may read public samples only.
  public integer not null
) strict;

-- Samples that become public when the clock reaches their release.
create table release_due (
  release integer not null,
  first integer not null,
  count integer not null,
  primary key (release, first)
) strict, without rowid;

-- What was registered before is there from the beginning.
insert into feed (at, first, count, kind, public)
select cast(unixepoch('subsec') * 1000 as integer), min(id), count(*), 0, open
from (select id, open, id - row_number() over (partition by open order by id) as island
  from (select id, admin_status is null and release <= cast(unixepoch('subsec') * 1000 as integer) as open from sample))
group by open, island order by min(id);

insert into release_due (release, first, count)
select release, min(id), count(*)
from (select id, release, id - row_number() over (partition by release order by id) as island
  from sample where admin_status is null and release > cast(unixepoch('subsec') * 1000 as integer))
group by release, island;
