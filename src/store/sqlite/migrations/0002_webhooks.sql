-- Webhooks. The triggers add a delivery in the transaction in which a submission ends, so that an event is told
-- though every process dies at that moment. They watch the column `state`, which no chunk of rows writes.

create table webhook (
  id text not null primary key,
  account integer not null references account (id),
  url text not null,
  events text not null,
  secret text not null,
  created integer not null
) strict;
create index webhook_account on webhook (account);

create table webhook_delivery (
  -- In order of the events.
  number integer primary key,
  id text not null unique,
  webhook text not null references webhook (id) on delete cascade,
  event text not null,
  submission integer not null,
  state text not null default 'waiting',
  created integer not null,
  expires integer not null,
  attempts integer not null default 0,
  next_attempt integer not null,
  -- A process that took it may be sending it until then.
  leased_until integer not null default 0,
  last_attempt integer,
  last_status integer,
  last_error text
) strict;
create index webhook_delivery_webhook on webhook_delivery (webhook, number);
create index webhook_delivery_waiting on webhook_delivery (next_attempt) where state = 'waiting';

create trigger submission_ended after update of state on submission
when new.state <> 'ACTIVE' and old.state = 'ACTIVE'
begin
  insert into webhook_delivery (id, webhook, event, submission, created, expires, next_attempt)
  select lower(hex(randomblob(16))), w.id, e.value, new.id, new.updated, new.updated + 86400000, new.updated
  from webhook w, json_each(w.events) e
  where w.account = new.account and e.value = 'submission.' ||
    case new.state when 'FAILED' then 'failed' when 'CANCELLED' then 'cancelled' else 'completed' end;
end;

-- A file that cannot be understood is over when it is recorded.
create trigger submission_over_at_once after insert on submission
when new.state <> 'ACTIVE'
begin
  insert into webhook_delivery (id, webhook, event, submission, created, expires, next_attempt)
  select lower(hex(randomblob(16))), w.id, e.value, new.id, new.updated, new.updated + 86400000, new.updated
  from webhook w, json_each(w.events) e
  where w.account = new.account and e.value = 'submission.failed';
end;

-- Quotas ask what an account sent in the last day.
create index submission_account_created on submission (account, created);
