-- What each version of a sample says is summed up beside it (src/store/sample-checksum.ts).
alter table sample add column crc int;
alter table sample_version add column crc int;

-- A program of the version before writes no checksum: what it changes must not keep that of what was there before.
create function drop_stale_checksum() returns trigger language plpgsql as $$
begin
  new.crc := null;
  return new;
end $$;
create trigger sample_stale_checksum before update on sample
for each row when (new.crc = old.crc) execute function drop_stale_checksum();
