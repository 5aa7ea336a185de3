-- The log of changes to samples, for those who follow the registry: kept for ever. One row per run of neighbours with the
-- same change. Transactions end in another order than they begin, so rows arrive first, and are given their numbers one
-- step after the other, under a lock, when they can be seen: no number is given before a smaller one is there to be read.
create table feed (
  number bigint primary key,
  -- Milliseconds since 1970.
  at bigint not null,
  first bigint not null,
  count int not null,
  -- Position in CHANGE_TYPES.
  kind smallint not null,
  -- 1 when those hear of it who may read public samples only.
  public smallint not null
);
create table feed_arrival (
  arrival bigint generated always as identity primary key,
  at bigint not null,
  first bigint not null,
  count int not null,
  kind smallint not null,
  public smallint not null
);

-- Samples that become public when the clock reaches their release.
create table release_due (
  release bigint not null,
  first bigint not null,
  count int not null,
  primary key (release, first)
);

-- Programs of the version before write the journal of the index alone; theirs are the rows that are not logged.
alter table change add column logged boolean not null default false;

create function log_change() returns trigger language plpgsql as $$
declare
  present constant bigint := floor(extract(epoch from clock_timestamp()) * 1000)::bigint;
begin
  insert into feed_arrival (at, first, count, kind, public)
  select present, s.id, 1,
    case when s.version = 1 then 0
      when was and not is_open then 4 when not was and is_open then 2 else 1 end,
    case when is_open or (was and s.version > 1) then 1 else 0 end
  from (select x.id, x.version, x.admin_status is null and x.release <= present as is_open,
      coalesce((select v.admin_status is null and v.release <= present from sample_version v
        where v.id = x.id and v.version = x.version - 1), false) as was
    from sample x where x.id between new.first and new.first + new.count - 1) s
  order by s.id;
  insert into release_due (release, first, count)
  select x.release, x.id, 1 from sample x
  where x.id between new.first and new.first + new.count - 1 and x.admin_status is null and x.release > present
  on conflict do nothing;
  return null;
end $$;
create trigger change_unlogged after insert on change
for each row when (not new.logged) execute function log_change();

-- What was registered before is there from the beginning.
insert into feed (number, at, first, count, kind, public)
select row_number() over (order by min(id)), floor(extract(epoch from clock_timestamp()) * 1000)::bigint,
  min(id), count(*), 0, open
from (select id, open, id - row_number() over (partition by open order by id) as island
  from (select id, case when admin_status is null and release <= extract(epoch from now()) * 1000 then 1 else 0 end as open
    from sample) s) i
group by open, island;

insert into release_due (release, first, count)
select release, min(id), count(*)
from (select id, release, id - row_number() over (partition by release order by id) as island
  from sample where admin_status is null and release > extract(epoch from now()) * 1000) i
group by release, island;
