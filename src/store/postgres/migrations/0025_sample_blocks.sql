-- Samples that a batch wrote together (docs/decisions/0150, src/store/sample-blocks.ts): those of numbers first to first +
-- count - 1, of one cell, cell * 64 to cell * 64 + 63. Never changed, never removed. What a sample is, its row in `sample`
-- says, else the newest block that holds its number; what other blocks say of it are earlier versions.
create table sample_block (
  cell bigint not null,
  -- In a cell in the order in which they were written.
  number bigint generated always as identity,
  first bigint not null,
  count int not null,
  -- Bit n for number cell * 64 + n.
  slots bigint not null generated always as (case when count = 64 then -1 else (~((-1)::bigint << count)) << (first & 63)::int end) stored,
  -- What all of them have in common, as in `sample`.
  account int not null,
  author int not null,
  via smallint not null,
  submission bigint,
  version int not null,
  created bigint not null,
  updated bigint not null,
  submitted bigint,
  admin_status text,
  layout int,
  -- What each has to itself, in the order of their numbers.
  names text[] not null,
  releases bigint[] not null,
  docs text[] not null,
  lines int[] not null,
  crcs int[] not null,
  primary key (cell, number)
);

-- LZ4 packs and unpacks in a fraction of the time of the other way, where the server is of version 14 or newer and has it.
do $$ begin
  execute 'alter table sample_block alter names set compression lz4, alter docs set compression lz4';
exception when syntax_error or feature_not_supported then null;
end $$;

-- Blocks with those of their numbers of which they say what the sample is, as `present`.
create view block_standing as
select b.cell, b.number, b.first, b.count, b.account, b.author, b.via, b.submission, b.version, b.created, b.updated, b.submitted,
  b.admin_status, b.layout, b.names, b.releases, b.docs, b.lines, b.crcs, b.slots,
  b.slots & ~(coalesce(b.newer, 0) | coalesce(r.slots, 0)) as present
from (select x.*, bit_or(slots) over (partition by cell order by number desc rows between unbounded preceding and 1 preceding) as newer
  from sample_block x) b
left join lateral (select bit_or(1::bigint << (s.id & 63)::int) as slots from sample s
  where s.id between b.cell * 64 and b.cell * 64 + 63) r on true;

-- Every sample as it is. Who asks for numbers names their cells too (id >> 6), or every block is read.
create view current_sample as
select id >> 6 as cell, id, account, created, name, release, layout, doc, author, via, submission, line, version, updated,
  submitted, admin_status, crc
from sample
union all
select b.cell, b.first + t.at - 1, b.account, b.created, coalesce(t.name, ''), t.release, b.layout, coalesce(t.doc, ''), b.author, b.via,
  b.submission, t.line, b.version, b.updated, b.submitted, b.admin_status, t.crc
from block_standing b
cross join lateral unnest(b.names, b.releases, b.docs, b.lines, b.crcs) with ordinality as t (name, release, doc, line, crc, at)
where b.present <> 0 and (b.present >> ((b.first + t.at - 1) & 63)::int) & 1 = 1;

-- What samples were before.
create view earlier_version as
select id >> 6 as cell, id, account, created, name, release, layout, doc, author, via, submission, line, version, updated,
  submitted, admin_status, crc
from sample_version
union all
select b.cell, b.first + t.at - 1, b.account, b.created, coalesce(t.name, ''), t.release, b.layout, coalesce(t.doc, ''), b.author, b.via,
  b.submission, t.line, b.version, b.updated, b.submitted, b.admin_status, t.crc
from block_standing b
cross join lateral unnest(b.names, b.releases, b.docs, b.lines, b.crcs) with ordinality as t (name, release, doc, line, crc, at)
where b.present <> b.slots and (b.present >> ((b.first + t.at - 1) & 63)::int) & 1 = 0;
