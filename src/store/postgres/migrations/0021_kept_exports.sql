-- Whole results that are made while nobody waits, and kept for a while. The number of attempts fences who makes one and
-- names its file; a row goes when its files are gone.
create table kept_export (
  id text collate "C" primary key,
  account int not null references account (id),
  admin int not null,
  request text not null,
  state text not null,
  attempts int not null default 0,
  handed_back int not null default 0,
  lease_until bigint,
  created bigint not null,
  updated bigint not null,
  expires bigint not null,
  removed int not null default 0,
  samples bigint,
  bytes bigint not null default 0,
  sha256 text,
  problem text
);
create index kept_export_of on kept_export (account, created);
create index kept_export_expiry on kept_export (expires);
