-- What each version of a sample says is summed up beside it (src/store/sample-checksum.ts).
alter table sample add column crc integer;
alter table sample_version add column crc integer;
-- Samples below this number may have none.
insert into counter (name, next) select 'unchecked', next from counter where name = 'accession';
