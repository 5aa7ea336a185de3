-- Webhooks. The triggers add a delivery in the transaction in which a submission ends, so that an event is told
-- though every process dies at that moment. They watch the column `state`, which no chunk of rows writes.

create table webhook (
  seq bigint generated always as identity,
  id text collate "C" primary key,
  account int not null references account (id),
  url text not null,
  events text not null,
  secret text not null,
  created bigint not null
);
create index webhook_account on webhook (account);

create table webhook_delivery (
  -- In order of the events.
  number bigint generated always as identity primary key,
  id text collate "C" not null unique,
  webhook text collate "C" not null references webhook (id) on delete cascade,
  event text not null,
  submission bigint not null,
  state text not null default 'waiting',
  created bigint not null,
  expires bigint not null,
  attempts int not null default 0,
  next_attempt bigint not null,
  -- A process that took it may be sending it until then.
  leased_until bigint not null default 0,
  last_attempt bigint,
  last_status int,
  last_error text
);
create index webhook_delivery_webhook on webhook_delivery (webhook, number);
create index webhook_delivery_waiting on webhook_delivery (next_attempt) where state = 'waiting';

create function announce_end() returns trigger language plpgsql as $$
begin
  insert into webhook_delivery (id, webhook, event, submission, created, expires, next_attempt)
  select replace(gen_random_uuid()::text, '-', ''), w.id, e.event, new.id, new.updated, new.updated + 86400000, new.updated
  from webhook w, json_array_elements_text(w.events::json) e (event)
  where w.account = new.account and e.event = 'submission.' ||
    case new.state when 'FAILED' then 'failed' when 'CANCELLED' then 'cancelled' else 'completed' end;
  return null;
end $$;

create trigger submission_ended after update of state on submission
for each row when (new.state <> 'ACTIVE' and old.state = 'ACTIVE') execute function announce_end();

-- A file that cannot be understood is over when it is recorded.
create trigger submission_over_at_once after insert on submission
for each row when (new.state <> 'ACTIVE') execute function announce_end();

-- Quotas ask what an account sent in the last day.
create index submission_account_created on submission (account, created);
