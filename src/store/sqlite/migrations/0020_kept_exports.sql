-- Whole results that are made while nobody waits, and kept for a while. The number of attempts fences who makes one and
-- names its file; a row goes when its files are gone.
create table kept_export (
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
) strict;
create index kept_export_of on kept_export (account, created);
create index kept_export_expiry on kept_export (expires);
