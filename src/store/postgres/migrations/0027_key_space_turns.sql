-- The plan in whose place its commit stands in the key space: what came between the two waits for both.
alter table submission add column turn_of bigint;
