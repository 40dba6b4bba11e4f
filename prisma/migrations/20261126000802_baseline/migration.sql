-- The schema of 0.1.0, in place of the 61 migrations that led to it. Models and columns are described in schema.prisma, in whose order the
-- tables stand; columns are in the order in which they came. A database of 0.1.0 has all of this: there it is recorded and not run.

CREATE TYPE "mode" AS ENUM ('test', 'live');
CREATE TYPE "configuration_fault" AS ENUM ('CREDENTIALS', 'SETTINGS');
CREATE TYPE "payment_status" AS ENUM ('INITIATED', 'PENDING', 'SUCCESS', 'FAILED', 'REFUNDED');
CREATE TYPE "attempt_state" AS ENUM ('STARTED', 'OPENED', 'REFUSED', 'UNKNOWN', 'PAID', 'UNPAID');
CREATE TYPE "review_state" AS ENUM ('OPEN', 'RESOLVED');
CREATE TYPE "refund_state" AS ENUM ('REQUESTED', 'PROCESSING', 'SUCCEEDED', 'FAILED', 'NEEDS_ATTENTION');
CREATE TYPE "rule_set_state" AS ENUM ('DRAFT', 'SCHEDULED', 'PUBLISHED', 'SUPERSEDED', 'DISCARDED');
CREATE TYPE "override_action" AS ENUM ('drain', 'disable', 'force');
CREATE TYPE "gateway_webhook_state" AS ENUM ('RECEIVED', 'PROCESSED', 'IGNORED');
CREATE TYPE "delivery_state" AS ENUM ('PENDING', 'DELIVERED', 'FAILED');
CREATE TYPE "duplicate_charge_state" AS ENUM ('OPEN', 'REFUNDING', 'REFUNDED', 'DISMISSED');
CREATE TYPE "reconciliation_state" AS ENUM ('QUEUED', 'RUNNING', 'DONE', 'FAILED');
CREATE TYPE "discrepancy_kind" AS ENUM ('MISSING_HERE', 'MISSING_THERE', 'STATUS', 'CURRENCY', 'AMOUNT');
CREATE TYPE "discrepancy_state" AS ENUM ('OPEN', 'EXPLAINED', 'RESOLVED');
CREATE TYPE "staff_role" AS ENUM ('owner', 'operator', 'finance', 'viewer');
CREATE TYPE "shadow_end" AS ENUM ('TIME', 'LIMIT', 'STOPPED', 'SAVED', 'PUBLISHED', 'DISCARDED');
CREATE TYPE "shadow_result" AS ENUM ('SAME', 'REORDERED', 'MOVED', 'UNREADABLE');
CREATE TYPE "rollup_detail" AS ENUM ('rules', 'accounts', 'all_merchants');
CREATE TYPE "rollup_step" AS ENUM ('hour', 'day');
CREATE TYPE "staff_link_kind" AS ENUM ('invitation', 'password_reset');
CREATE TYPE "incident_kind" AS ENUM (
  'gateway_degraded', 'gateway_down', 'correlated_outage', 'duplicate_charge', 'refund_stuck', 'payment_review',
  'reconciliation_discrepancy', 'webhook_endpoint_off', 'backlog', 'api_key_expiring', 'credentials_refused',
  'certificate_expiring', 'sign_in_from_new_place'
);
CREATE TYPE "incident_severity" AS ENUM ('info', 'warning', 'critical');
CREATE TYPE "notification_channel_kind" AS ENUM ('email', 'slack', 'teams', 'pagerduty', 'webhook');
CREATE TYPE "notification_event" AS ENUM ('opened', 'acknowledged', 'escalated', 'recovered', 'absorbed', 'test');
CREATE TYPE "notification_state" AS ENUM ('PENDING', 'SENT', 'FAILED', 'SKIPPED');

CREATE TABLE "merchant" (
    "id" UUID NOT NULL,
    "merchant_number" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "default_redirect_url" TEXT,
    "session_minutes" INTEGER NOT NULL DEFAULT 60,
    "refund_duplicates" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "rules_need_approval" BOOLEAN NOT NULL DEFAULT false,
    "approval_waiver_by" TEXT,
    "approval_waiver_at" TIMESTAMPTZ(3),
    "agents_may_write_live" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "merchant_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "merchant_merchant_number_key" ON "merchant" ("merchant_number");

CREATE TABLE "configuration_revision" (
    "merchant_id" UUID NOT NULL,
    "revision" INTEGER NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "configuration_revision_pkey" PRIMARY KEY ("merchant_id")
);

CREATE TABLE "api_key" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "public_id" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "name" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" TEXT NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "rotated_from_id" UUID,
    "scopes" TEXT[] NOT NULL DEFAULT '{}',
    "allowed_addresses" TEXT[] NOT NULL DEFAULT '{}',

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("merchant_id", "id")
);

CREATE UNIQUE INDEX "api_key_public_id_key" ON "api_key" ("public_id");
CREATE INDEX "api_key_merchant_id_mode_created_at_idx" ON "api_key" ("merchant_id", "mode", "created_at");

CREATE TABLE "gateway_account" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "gateway" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "credentials" TEXT,
    "credential_hint" JSON NOT NULL,
    "currencies" TEXT[],
    "methods" TEXT[],
    "min_amount" BIGINT NOT NULL,
    "max_amount" BIGINT,
    "fees" JSON,
    "base_url" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "configuration_fault" "configuration_fault",
    "configuration_fault_message" TEXT,
    "configuration_fault_at" TIMESTAMPTZ(3),

    CONSTRAINT "gateway_account_pkey" PRIMARY KEY ("merchant_id", "id"),
    CONSTRAINT "gateway_account_live_base_url" CHECK ("mode" = 'test' OR "base_url" IS NULL)
);

CREATE UNIQUE INDEX "gateway_account_merchant_id_mode_label_key" ON "gateway_account" ("merchant_id", "mode", "label");

CREATE TABLE "rule_set_version" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "version" INTEGER,
    "state" "rule_set_state" NOT NULL,
    "document" JSON NOT NULL,
    "base_version" INTEGER NOT NULL,
    "reason" TEXT,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "approved_by" TEXT,
    "publish_at" TIMESTAMPTZ(3),
    "published_by" TEXT,
    "published_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "name" TEXT,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "editors" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "saved_by" TEXT,
    "restored_version" INTEGER,
    "approval_requested_by" TEXT,
    "approval_requested_at" TIMESTAMPTZ(3),
    "approved_at" TIMESTAMPTZ(3),
    "rejected_by" TEXT,
    "rejected_at" TIMESTAMPTZ(3),
    "rejection_reason" TEXT,
    "scheduled_by" TEXT,
    "schedule_refusal" JSON,

    CONSTRAINT "rule_set_version_pkey" PRIMARY KEY ("merchant_id", "id")
);

CREATE INDEX "rule_set_version_merchant_id_mode_state_idx" ON "rule_set_version" ("merchant_id", "mode", "state");
CREATE UNIQUE INDEX "rule_set_version_merchant_id_mode_version_key" ON "rule_set_version" ("merchant_id", "mode", "version");
-- One version per merchant and mode is in force, whatever the program does.
CREATE UNIQUE INDEX "rule_set_in_force" ON "rule_set_version" ("merchant_id", "mode") WHERE "state" = 'PUBLISHED';
CREATE INDEX "rule_set_due" ON "rule_set_version" ("publish_at") WHERE "state" = 'SCHEDULED';

CREATE TABLE "shadow_run" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "draft_id" UUID NOT NULL,
    "draft_revision" INTEGER NOT NULL,
    "document" JSON NOT NULL,
    "started_by" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "ended_by" TEXT,
    "ended" "shadow_end",
    "scanned_to" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "shadow_run_pkey" PRIMARY KEY ("merchant_id", "id")
);

CREATE INDEX "shadow_run_merchant_id_draft_id_started_at_idx" ON "shadow_run" ("merchant_id", "draft_id", "started_at");
-- One at a time for each draft; and what the worker looks for.
CREATE UNIQUE INDEX "shadow_run_of_draft" ON "shadow_run" ("merchant_id", "draft_id") WHERE "ended_at" IS NULL;

CREATE TABLE "shadow_decision" (
    "merchant_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "method" TEXT,
    "result" "shadow_result" NOT NULL,
    "rule_id" TEXT,
    "plan" UUID[],
    "live_account_id" UUID,
    "account_id" UUID,
    "live_fee" BIGINT,
    "fee" BIGINT,

    CONSTRAINT "shadow_decision_pkey" PRIMARY KEY ("merchant_id", "run_id", "payment_id")
);

CREATE INDEX "shadow_decision_that_moves" ON "shadow_decision" ("merchant_id", "run_id", "created_at", "payment_id")
  WHERE "result" = 'MOVED';

CREATE TABLE "routing_override" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "method" TEXT,
    "action" "override_action" NOT NULL,
    "reason" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "ended_by" TEXT,
    "starts_at" TIMESTAMPTZ(3),

    CONSTRAINT "routing_override_pkey" PRIMARY KEY ("merchant_id", "id")
);

CREATE INDEX "routing_override_merchant_id_account_id_created_at_idx" ON "routing_override" ("merchant_id", "account_id", "created_at");

CREATE TABLE "health_bucket" (
    "merchant_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "method" TEXT NOT NULL,
    "bucket_at" TIMESTAMPTZ(3) NOT NULL,
    "process_id" UUID NOT NULL,
    "succeeded" INTEGER NOT NULL,
    "faulted" INTEGER NOT NULL,
    "paid" INTEGER NOT NULL,
    "unpaid" INTEGER NOT NULL,
    "latency_ms_sum" BIGINT NOT NULL,
    "timed_out" INTEGER NOT NULL DEFAULT 0,
    "refused" INTEGER NOT NULL DEFAULT 0,
    "server_error" INTEGER NOT NULL DEFAULT 0,
    "malformed" INTEGER NOT NULL DEFAULT 0,
    "rate_limited" INTEGER NOT NULL DEFAULT 0,
    "lookups_answered" INTEGER NOT NULL DEFAULT 0,
    "lookups_failed" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "health_bucket_pkey" PRIMARY KEY ("merchant_id", "account_id", "method", "bucket_at", "process_id")
);

CREATE INDEX "health_bucket_bucket_at_idx" ON "health_bucket" ("bucket_at");

CREATE TABLE "health_status" (
    "merchant_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "method" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "why" JSON NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "probe_percent" INTEGER NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "count_from" TIMESTAMPTZ(3) NOT NULL,
    "relapses" INTEGER NOT NULL,
    "demoted_to" TEXT,
    "demoted_by" TEXT,
    "demoted_succeeded" INTEGER NOT NULL DEFAULT 0,
    "demoted_faulted" INTEGER NOT NULL DEFAULT 0,
    "demoted_shared" INTEGER NOT NULL DEFAULT 0,
    "usual_ms" INTEGER,
    "usual_at" TIMESTAMPTZ(3),

    CONSTRAINT "health_status_pkey" PRIMARY KEY ("merchant_id", "account_id", "method")
);

CREATE TABLE "health_threshold_set" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "changes" JSON NOT NULL,
    "revision" INTEGER NOT NULL,
    "updated_by" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "health_threshold_set_pkey" PRIMARY KEY ("merchant_id", "mode")
);

CREATE TABLE "health_event" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "method" TEXT NOT NULL,
    "from_state" TEXT,
    "to_state" TEXT NOT NULL,
    "why" JSON NOT NULL,
    "detail" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "health_event_pkey" PRIMARY KEY ("merchant_id", "id")
);

CREATE INDEX "health_event_merchant_id_created_at_idx" ON "health_event" ("merchant_id", "created_at");

-- Rows are changed in place soon after they are written; the free room keeps those changes on the same page. So too below.
CREATE TABLE "payment" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    -- Orders are searched by their beginning: byte order lets the unique index answer that, in any locale.
    "merchant_order_id" TEXT COLLATE "C" NOT NULL,
    "status" "payment_status" NOT NULL,
    "amount" BIGINT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "customer_email" TEXT NOT NULL,
    "customer_id" TEXT,
    "customer_phone" TEXT,
    "customer_country" CHAR(2),
    "payment_method" TEXT,
    "metadata" JSON,
    "redirect_url" TEXT,
    "requested_gateway" TEXT,
    "routing_mode" TEXT NOT NULL,
    "smart_routing_bypassed" BOOLEAN NOT NULL,
    "rule_set_version" INTEGER NOT NULL,
    "rule_id" TEXT,
    "routing" JSON NOT NULL,
    "routing_inputs" JSON NOT NULL,
    "recommended_gateway" TEXT NOT NULL,
    "session" JSON,
    "fallback_gateways" JSON NOT NULL,
    "current_attempt_id" UUID,
    "gateway_reference" TEXT,
    "received_amount" DECIMAL(30,6),
    "received_currency" CHAR(3),
    "fee_amount" DECIMAL(30,6),
    "paid_method" TEXT,
    "paid_at" TIMESTAMPTZ(3),
    "late" BOOLEAN NOT NULL DEFAULT false,
    "review" "review_state",
    "review_reason" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "refunded_amount" BIGINT NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL,
    "status_event_id" UUID NOT NULL,
    "status_changed_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "paid_attempt_id" UUID,
    "account_id" UUID,
    "account_gateway" TEXT,
    "customer_erased_at" TIMESTAMPTZ(3),
    "failure_reason" TEXT,

    CONSTRAINT "payment_pkey" PRIMARY KEY ("merchant_id", "id"),
    CONSTRAINT "payment_amount_positive" CHECK ("amount" > 0 AND "amount" <= 1000000000000),
    CONSTRAINT "payment_refunded_within_amount" CHECK ("refunded_amount" >= 0 AND "refunded_amount" <= "amount"),
    CONSTRAINT "payment_version_positive" CHECK ("version" > 0),
    CONSTRAINT "payment_account_of_attempt" CHECK (("account_id" IS NULL) = (COALESCE("paid_attempt_id", "current_attempt_id") IS NULL)
      AND ("account_id" IS NULL) = ("account_gateway" IS NULL))
) WITH (fillfactor = 85);

-- What lists are mostly narrowed by is carried along, so that what does not match is passed over without reading the row.
CREATE INDEX "payment_merchant_id_mode_created_at_id_idx" ON "payment" ("merchant_id", "mode", "created_at", "id")
  INCLUDE ("status", "recommended_gateway", "payment_method", "amount", "rule_id");
-- Lists of all merchants' payments are read by time alone.
CREATE INDEX "payment_by_time" ON "payment" ("mode", "created_at", "id")
  INCLUDE ("merchant_id", "status", "recommended_gateway", "payment_method", "amount", "rule_id");
CREATE INDEX "payment_review_open" ON "payment" ("merchant_id", "mode", "created_at") WHERE "review" = 'OPEN';
CREATE UNIQUE INDEX "payment_merchant_id_mode_merchant_order_id_key" ON "payment" ("merchant_id", "mode", "merchant_order_id");
-- Each leads to few payments of many, in the order of lists. What matches many is read from the list's own order.
CREATE INDEX "payment_by_status" ON "payment" ("merchant_id", "mode", "status", "created_at", "id");
CREATE INDEX "payment_by_email" ON "payment" ("merchant_id", "mode", lower("customer_email"), "created_at", "id");
CREATE INDEX "payment_by_customer" ON "payment" ("merchant_id", "mode", "customer_id", "created_at", "id") WHERE "customer_id" IS NOT NULL;
-- Failed payments by their reason, newest first.
CREATE INDEX "payment_by_failure" ON "payment" ("merchant_id", "mode", "failure_reason", "created_at", "id")
  WHERE "failure_reason" IS NOT NULL;
-- Failed payments whose reason the worker still has to fill in.
CREATE INDEX "payment_without_failure_reason" ON "payment" ("merchant_id", "id")
  WHERE "status" = 'FAILED' AND "failure_reason" IS NULL;
-- Payments sorted by amount, and equal ones by id, so that a page continues where the one before ended.
CREATE INDEX "payment_by_amount_and_id" ON "payment" ("merchant_id", "mode", "amount", "id");
-- Payments by the last seven digits of the customer's phone number, the last one first: found by all seven in the order of time, and by
-- the last few. Payments without a number cost nothing.
CREATE INDEX "payment_by_phone_end" ON "payment"
  ("merchant_id", "mode", (reverse(right(regexp_replace("customer_phone", '\D', '', 'g'), 7))) COLLATE "C", "created_at", "id")
  WHERE "customer_phone" IS NOT NULL;

-- What is due, and when, changes several times in a payment's life, beside a row that is wide and has many indexes: it is a table of its
-- own.
CREATE TABLE "payment_check" (
    "merchant_id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "next_check_at" TIMESTAMPTZ(3) NOT NULL,
    "initiating" BOOLEAN NOT NULL,
    "check_count" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "payment_check_pkey" PRIMARY KEY ("merchant_id", "payment_id")
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);

CREATE INDEX "payment_check_due" ON "payment_check" ("next_check_at");

CREATE TABLE "attempt" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "state" "attempt_state" NOT NULL,
    "failure_class" TEXT,
    "failure_code" TEXT,
    "failure_message" TEXT,
    "latency_ms" INTEGER,
    "call" JSON,
    "transaction_id" TEXT,
    "received_amount" DECIMAL(30,6),
    "received_currency" CHAR(3),
    "duplicate" BOOLEAN NOT NULL DEFAULT false,
    "last_asked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "attempt_pkey" PRIMARY KEY ("merchant_id", "id")
) WITH (fillfactor = 85);

CREATE INDEX "attempt_merchant_id_payment_id_position_idx" ON "attempt" ("merchant_id", "payment_id", "position");
CREATE UNIQUE INDEX "attempt_merchant_id_account_id_reference_key" ON "attempt" ("merchant_id", "account_id", "reference");
CREATE INDEX "attempt_duplicate" ON "attempt" ("merchant_id", "created_at") WHERE "duplicate";
CREATE INDEX "attempt_by_account" ON "attempt" ("merchant_id", "account_id", "created_at" DESC);
-- Attempts by the gateway's own id of the transaction, which stands on the customer's receipt.
CREATE INDEX "attempt_by_transaction" ON "attempt" ("merchant_id", "account_id", "transaction_id")
  WHERE "transaction_id" IS NOT NULL;

CREATE TABLE "timeline_event" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "from_status" "payment_status",
    "to_status" "payment_status",
    "cause" TEXT NOT NULL,
    "actor" TEXT,
    "detail" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "timeline_event_pkey" PRIMARY KEY ("merchant_id", "id")
);

CREATE INDEX "timeline_event_merchant_id_payment_id_created_at_id_idx" ON "timeline_event"
  ("merchant_id", "payment_id", "created_at", "id");

-- Numbers are a merchant's own, so that they need no sequence.
CREATE TABLE "compat_number" (
    "merchant_id" UUID NOT NULL,
    "object_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "number" BIGINT NOT NULL,
    "dialect" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "compat_number_pkey" PRIMARY KEY ("merchant_id", "object_id"),
    CONSTRAINT "compat_number_is_safe" CHECK ("number" BETWEEN 1 AND 9007199254740991)
);

CREATE UNIQUE INDEX "compat_number_merchant_id_number_key" ON "compat_number" ("merchant_id", "number");

CREATE TABLE "idempotency_record" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "payment_id" UUID NOT NULL,
    "status_code" INTEGER,
    "body" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "locked_until" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_record_pkey" PRIMARY KEY ("merchant_id", "mode", "key")
) WITH (fillfactor = 80);

CREATE INDEX "idempotency_record_expires_at_idx" ON "idempotency_record" ("expires_at");

CREATE TABLE "refund" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "attempt_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "amount" BIGINT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "state" "refund_state" NOT NULL,
    "reason" TEXT,
    "reference" TEXT NOT NULL,
    "gateway_refund_id" TEXT,
    "requested_by" TEXT NOT NULL,
    "duplicate" BOOLEAN NOT NULL DEFAULT false,
    "failure_message" TEXT,
    "next_check_at" TIMESTAMPTZ(3),
    "check_count" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "mode" "mode" NOT NULL,
    "gateway" TEXT NOT NULL,
    "transaction_id" TEXT NOT NULL,
    "mismatched" BOOLEAN NOT NULL DEFAULT false,
    "sent_at" TIMESTAMPTZ(3),
    "send_count" INTEGER NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL DEFAULT 1,
    "note" TEXT,
    "resolved_by" TEXT,
    "resolved_at" TIMESTAMPTZ(3),

    CONSTRAINT "refund_pkey" PRIMARY KEY ("merchant_id", "id"),
    CONSTRAINT "refund_amount_positive" CHECK ("amount" > 0),
    CONSTRAINT "refund_not_of_two_kinds" CHECK (NOT ("duplicate" AND "mismatched"))
);

CREATE INDEX "refund_merchant_id_payment_id_created_at_idx" ON "refund" ("merchant_id", "payment_id", "created_at");
CREATE UNIQUE INDEX "refund_merchant_id_account_id_reference_key" ON "refund" ("merchant_id", "account_id", "reference");
CREATE INDEX "refund_due" ON "refund" ("next_check_at") WHERE "next_check_at" IS NOT NULL;
CREATE INDEX "refund_merchant_id_mode_created_at_id_idx" ON "refund" ("merchant_id", "mode", "created_at", "id");
CREATE INDEX "refund_merchant_id_account_id_gateway_refund_id_idx" ON "refund" ("merchant_id", "account_id", "gateway_refund_id");
CREATE INDEX "refund_unresolved" ON "refund" ("merchant_id", "mode", "created_at", "id")
  WHERE "state" = 'FAILED' AND NOT "duplicate" AND NOT "mismatched" AND "resolved_at" IS NULL;
-- Refunds that wait for a person, which are counted every few seconds.
CREATE INDEX "refund_needs_attention" ON "refund" ("merchant_id", "mode", "created_at") WHERE "state" = 'NEEDS_ATTENTION';
-- Refunds sorted by amount, and equal ones by id.
CREATE INDEX "refund_by_amount" ON "refund" ("merchant_id", "mode", "amount", "id");

CREATE TABLE "gateway_webhook" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "dedupe_key" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "reference" TEXT,
    "transaction_id" TEXT,
    "body" TEXT NOT NULL,
    "state" "gateway_webhook_state" NOT NULL,
    "deliveries" INTEGER NOT NULL DEFAULT 1,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "processed_at" TIMESTAMPTZ(3),

    CONSTRAINT "gateway_webhook_pkey" PRIMARY KEY ("merchant_id", "id")
);

CREATE INDEX "gateway_webhook_merchant_id_received_at_idx" ON "gateway_webhook" ("merchant_id", "received_at");
CREATE UNIQUE INDEX "gateway_webhook_merchant_id_account_id_dedupe_key_key" ON "gateway_webhook"
  ("merchant_id", "account_id", "dedupe_key");
-- What a gateway sent is looked up under the reference it speaks of.
CREATE INDEX "gateway_webhook_by_reference" ON "gateway_webhook" ("merchant_id", "account_id", "reference") WHERE "reference" IS NOT NULL;
-- Webhooks of a gateway account by state, in the order in which they were received.
CREATE INDEX "gateway_webhook_by_state" ON "gateway_webhook" ("merchant_id", "account_id", "state", "received_at", "id");

CREATE TABLE "webhook_arrival" (
    "merchant_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "arrived_at" TIMESTAMPTZ(3),
    "missed_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_arrival_pkey" PRIMARY KEY ("merchant_id", "account_id")
);

CREATE TABLE "refused_webhook" (
    "merchant_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "why" TEXT NOT NULL,
    "hour_at" TIMESTAMPTZ(3) NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "refused_webhook_pkey" PRIMARY KEY ("merchant_id", "account_id", "why", "hour_at")
);

CREATE TABLE "duplicate_charge" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "payment_id" UUID NOT NULL,
    "attempt_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "transaction_id" TEXT NOT NULL,
    "amount" DECIMAL(30,6) NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "state" "duplicate_charge_state" NOT NULL,
    "refund_id" UUID,
    "note" TEXT,
    "resolved_by" TEXT,
    "resolved_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "duplicate_charge_pkey" PRIMARY KEY ("merchant_id", "id")
);

CREATE UNIQUE INDEX "duplicate_charge_merchant_id_account_id_transaction_id_key" ON "duplicate_charge"
  ("merchant_id", "account_id", "transaction_id");
CREATE INDEX "duplicate_charge_merchant_id_mode_created_at_id_idx" ON "duplicate_charge" ("merchant_id", "mode", "created_at", "id");
CREATE INDEX "duplicate_charge_merchant_id_payment_id_idx" ON "duplicate_charge" ("merchant_id", "payment_id");
CREATE INDEX "duplicate_charge_open" ON "duplicate_charge" ("merchant_id", "mode", "created_at") WHERE "state" IN ('OPEN', 'REFUNDING');

CREATE TABLE "merchant_event" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "payment_id" UUID,
    "position" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "merchant_event_pkey" PRIMARY KEY ("merchant_id", "id")
);

CREATE INDEX "merchant_event_merchant_id_mode_created_at_id_idx" ON "merchant_event" ("merchant_id", "mode", "created_at", "id");
CREATE INDEX "merchant_event_merchant_id_payment_id_idx" ON "merchant_event" ("merchant_id", "payment_id");

CREATE TABLE "job_pool" (
    "pool_id" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "job_pool_pkey" PRIMARY KEY ("pool_id")
);

CREATE TABLE "api_key_use" (
    "merchant_id" UUID NOT NULL,
    "key_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "requests" BIGINT NOT NULL,

    CONSTRAINT "api_key_use_pkey" PRIMARY KEY ("merchant_id", "key_id", "day")
);

CREATE TABLE "webhook_endpoint" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "url" TEXT NOT NULL,
    "types" TEXT[],
    "secrets" TEXT[],
    "enabled" BOOLEAN NOT NULL,
    "failing_since" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "previous_secret_ends_at" TIMESTAMPTZ(3),
    "last_failed_at" TIMESTAMPTZ(3),
    "last_delivered_at" TIMESTAMPTZ(3),
    "removed_at" TIMESTAMPTZ(3),
    "format" TEXT NOT NULL DEFAULT 'switchyard',
    "certificate_expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_endpoint_pkey" PRIMARY KEY ("merchant_id", "id")
);

CREATE INDEX "webhook_endpoint_merchant_id_mode_created_at_idx" ON "webhook_endpoint" ("merchant_id", "mode", "created_at");

CREATE TABLE "webhook_delivery" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "payment_id" UUID,
    "type" TEXT NOT NULL,
    "state" "delivery_state" NOT NULL,
    "attempts" INTEGER NOT NULL,
    "next_attempt_at" TIMESTAMPTZ(3),
    "last_status" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "position" INTEGER NOT NULL,
    "round_attempts" INTEGER NOT NULL DEFAULT 0,
    "delivered_at" TIMESTAMPTZ(3),
    "last_failure" TEXT,
    "resend_id" UUID,
    "body" TEXT,

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("merchant_id", "id")
);

CREATE UNIQUE INDEX "webhook_delivery_merchant_id_endpoint_id_event_id_key" ON "webhook_delivery"
  ("merchant_id", "endpoint_id", "event_id");
CREATE INDEX "webhook_delivery_merchant_id_endpoint_id_created_at_id_idx" ON "webhook_delivery"
  ("merchant_id", "endpoint_id", "created_at", "id");
CREATE INDEX "webhook_delivery_merchant_id_payment_id_idx" ON "webhook_delivery" ("merchant_id", "payment_id");
-- What is due, over all; the next one of an endpoint; and whether an earlier event of the same payment still waits.
CREATE INDEX "webhook_delivery_due" ON "webhook_delivery" ("next_attempt_at") WHERE "state" = 'PENDING';
CREATE INDEX "webhook_delivery_next" ON "webhook_delivery" ("merchant_id", "endpoint_id", "next_attempt_at") WHERE "state" = 'PENDING';
CREATE INDEX "webhook_delivery_order" ON "webhook_delivery" ("merchant_id", "endpoint_id", "payment_id", "position", "id")
  WHERE "state" = 'PENDING';
CREATE INDEX "webhook_delivery_resent" ON "webhook_delivery" ("merchant_id", "resend_id", "state") WHERE "resend_id" IS NOT NULL;
-- Finished deliveries by attempts, without those of one attempt, which are most: an ordinary delivery never enters the index.
CREATE INDEX "webhook_delivery_by_attempts" ON "webhook_delivery" ("merchant_id", "endpoint_id", "attempts", "created_at", "id")
  WHERE "state" <> 'PENDING' AND "attempts" <> 1;

CREATE TABLE "webhook_delivery_attempt" (
    "merchant_id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "delivered" BOOLEAN NOT NULL,
    "status" INTEGER,
    "failure" TEXT,
    "answer" TEXT,

    CONSTRAINT "webhook_delivery_attempt_pkey" PRIMARY KEY ("merchant_id", "delivery_id", "number")
);

CREATE INDEX "webhook_delivery_attempt_merchant_id_endpoint_id_started_at_idx" ON "webhook_delivery_attempt"
  ("merchant_id", "endpoint_id", "started_at");

CREATE TABLE "webhook_resend" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "from_at" TIMESTAMPTZ(3) NOT NULL,
    "to_at" TIMESTAMPTZ(3) NOT NULL,
    "types" TEXT[],
    "only_undelivered" BOOLEAN NOT NULL,
    "total" INTEGER NOT NULL,
    "queued" INTEGER NOT NULL,
    "cursor_at" TIMESTAMPTZ(3),
    "cursor_id" UUID,
    "requested_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_resend_pkey" PRIMARY KEY ("merchant_id", "id")
);

CREATE INDEX "webhook_resend_merchant_id_endpoint_id_created_at_idx" ON "webhook_resend" ("merchant_id", "endpoint_id", "created_at");
CREATE INDEX "webhook_resend_unfinished" ON "webhook_resend" ("updated_at") WHERE "finished_at" IS NULL;

CREATE TABLE "reconciliation_run" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "zone" TEXT NOT NULL,
    "state" "reconciliation_state" NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "rows_read" INTEGER NOT NULL DEFAULT 0,
    "leased_until" TIMESTAMPTZ(3),
    "requested_by" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "compared_at" TIMESTAMPTZ(3),
    "failure" TEXT,
    "totals" JSON,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reconciliation_run_pkey" PRIMARY KEY ("merchant_id", "id")
);

CREATE UNIQUE INDEX "reconciliation_run_merchant_id_account_id_day_key" ON "reconciliation_run" ("merchant_id", "account_id", "day");
CREATE INDEX "reconciliation_run_merchant_id_mode_day_id_idx" ON "reconciliation_run" ("merchant_id", "mode", "day", "id");

CREATE TABLE "reconciliation_discrepancy" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "kind" "discrepancy_kind" NOT NULL,
    "subject" TEXT NOT NULL,
    "state" "discrepancy_state" NOT NULL,
    "payment_id" UUID,
    "refund_id" UUID,
    "reference" TEXT,
    "transaction_id" TEXT,
    "ledger" JSON,
    "statement" JSON,
    "owner_id" UUID,
    "note" TEXT,
    "resolved_by" TEXT,
    "resolved_at" TIMESTAMPTZ(3),
    "resolution" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reconciliation_discrepancy_pkey" PRIMARY KEY ("merchant_id", "id"),
    CONSTRAINT "reconciliation_discrepancy_resolved" CHECK (("state" = 'OPEN') = ("resolved_at" IS NULL)),
    CONSTRAINT "reconciliation_discrepancy_has_a_side" CHECK ("ledger" IS NOT NULL OR "statement" IS NOT NULL)
);

CREATE UNIQUE INDEX "reconciliation_discrepancy_merchant_id_account_id_day_kind__key" ON "reconciliation_discrepancy"
  ("merchant_id", "account_id", "day", "kind", "subject");
CREATE INDEX "reconciliation_discrepancy_merchant_id_mode_day_id_idx" ON "reconciliation_discrepancy" ("merchant_id", "mode", "day", "id");
CREATE INDEX "reconciliation_discrepancy_merchant_id_payment_id_idx" ON "reconciliation_discrepancy" ("merchant_id", "payment_id");
CREATE INDEX "reconciliation_discrepancy_open" ON "reconciliation_discrepancy" ("merchant_id", "mode", "day", "id") WHERE "state" = 'OPEN';
-- The work list: open discrepancies of a merchant, by day.
CREATE INDEX "reconciliation_discrepancy_open_idx" ON "reconciliation_discrepancy" ("merchant_id", "mode", "day", "id")
  WHERE "state" = 'OPEN';

CREATE TABLE "reconciliation_setting" (
    "merchant_id" UUID NOT NULL,
    "tolerance" DECIMAL(30,6) NOT NULL,
    "updated_by" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reconciliation_setting_pkey" PRIMARY KEY ("merchant_id")
);

CREATE TABLE "payment_rollup_change" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "rule_id" TEXT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "status" "payment_status" NOT NULL,
    "payments" INTEGER NOT NULL,
    "amount" BIGINT NOT NULL,
    "fees" DECIMAL(30,6) NOT NULL,
    "refunded" BIGINT NOT NULL,
    "late" INTEGER NOT NULL,

    CONSTRAINT "payment_rollup_change_pkey" PRIMARY KEY ("merchant_id", "id")
);

CREATE TABLE "payment_rollup" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "detail" "rollup_detail" NOT NULL,
    "step" "rollup_step" NOT NULL,
    "begins_at" TIMESTAMPTZ(3) NOT NULL,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "rule_id" TEXT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "status" "payment_status" NOT NULL,
    "payments" BIGINT NOT NULL,
    "amount" BIGINT NOT NULL,
    "fees" DECIMAL(30,6) NOT NULL,
    "refunded" BIGINT NOT NULL,
    "late" BIGINT NOT NULL,

    CONSTRAINT "payment_rollup_pkey" PRIMARY KEY (
      "merchant_id", "mode", "detail", "step", "begins_at", "account_id", "gateway", "method", "rule_id", "currency", "status")
);

CREATE TABLE "attempt_rollup_change" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "result" TEXT NOT NULL,
    "latency_bucket" SMALLINT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "attempt_rollup_change_pkey" PRIMARY KEY ("merchant_id", "id")
);

CREATE TABLE "attempt_rollup" (
    "merchant_id" UUID NOT NULL,
    "hour_at" TIMESTAMPTZ(3) NOT NULL,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "result" TEXT NOT NULL,
    "latency_bucket" SMALLINT NOT NULL,
    "attempts" BIGINT NOT NULL,

    CONSTRAINT "attempt_rollup_pkey" PRIMARY KEY ("merchant_id", "hour_at", "account_id", "result", "latency_bucket")
);

CREATE TABLE "finance_token" (
    "id" UUID NOT NULL,
    "public_id" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "name" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "merchant_ids" UUID[],
    "modes" "mode"[],
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_by" TEXT,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "finance_token_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "finance_token_public_id_key" ON "finance_token" ("public_id");
CREATE INDEX "finance_token_created_at_id_idx" ON "finance_token" ("created_at", "id");

CREATE TABLE "agent_token" (
    "id" UUID NOT NULL,
    "public_id" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "name" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "staff_id" UUID NOT NULL,
    "may_save_drafts" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_by" TEXT,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "agent_token_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "agent_token_public_id_key" ON "agent_token" ("public_id");
CREATE INDEX "agent_token_created_at_id_idx" ON "agent_token" ("created_at", "id");
CREATE INDEX "agent_token_staff_id_created_at_idx" ON "agent_token" ("staff_id", "created_at");

CREATE TABLE "audit_entry" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "object_type" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "before" JSON,
    "after" JSON,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "previous" BYTEA NOT NULL,
    "hash" BYTEA NOT NULL,
    "version" SMALLINT NOT NULL DEFAULT 1,
    "key_id" TEXT,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("tenant_id", "id"),
    CONSTRAINT "audit_entry_key_of_version" CHECK (("version" = 1) = ("key_id" IS NULL))
);

CREATE INDEX "audit_entry_tenant_id_created_at_idx" ON "audit_entry" ("tenant_id", "created_at");
CREATE UNIQUE INDEX "audit_entry_tenant_id_position_key" ON "audit_entry" ("tenant_id", "position");
CREATE INDEX "audit_entry_tenant_id_object_id_created_at_idx" ON "audit_entry" ("tenant_id", "object_id", "created_at");

CREATE TABLE "audit_head" (
    "tenant_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "key_id" TEXT,
    "seal" BYTEA,

    CONSTRAINT "audit_head_pkey" PRIMARY KEY ("tenant_id"),
    CONSTRAINT "audit_head_seal_with_key" CHECK (("key_id" IS NULL) = ("seal" IS NULL))
);

CREATE TABLE "retention_setting" (
    "merchant_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "days" INTEGER NOT NULL,
    "updated_by" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "retention_setting_pkey" PRIMARY KEY ("merchant_id", "kind")
);

CREATE TABLE "retention_progress" (
    "merchant_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "cursor" UUID,
    "held" UUID[] NOT NULL,
    "removed_in_run" INTEGER NOT NULL,
    "removed_last_run" INTEGER NOT NULL,
    "removed_in_all" BIGINT NOT NULL,
    "last_run_at" TIMESTAMPTZ(3),

    CONSTRAINT "retention_progress_pkey" PRIMARY KEY ("merchant_id", "kind")
);

CREATE TABLE "payment_note" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "text" TEXT NOT NULL,
    "author" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_note_pkey" PRIMARY KEY ("merchant_id", "id")
);

CREATE INDEX "payment_note_merchant_id_payment_id_created_at_id_idx" ON "payment_note" ("merchant_id", "payment_id", "created_at", "id");

CREATE TABLE "saved_view" (
    "id" UUID NOT NULL,
    "page" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "owner_id" UUID NOT NULL,
    "shared" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "saved_view_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "saved_view_page_owner_id_name_key" ON "saved_view" ("page", "owner_id", "name");
CREATE INDEX "saved_view_page_shared_idx" ON "saved_view" ("page", "shared");

CREATE TABLE "staff_user" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "email_verified" BOOLEAN NOT NULL DEFAULT false,
    "image" TEXT,
    "two_factor_enabled" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_by" TEXT,
    "two_factor_required" BOOLEAN NOT NULL DEFAULT false,
    "time_zone" TEXT,

    CONSTRAINT "staff_user_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "staff_user_email_key" ON "staff_user" ("email");

CREATE TABLE "staff_session" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "token" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ip_address" TEXT,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "staff_session_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "staff_session_token_key" ON "staff_session" ("token");
CREATE INDEX "staff_session_user_id_idx" ON "staff_session" ("user_id");

CREATE TABLE "staff_credential" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "account_id" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "access_token" TEXT,
    "refresh_token" TEXT,
    "id_token" TEXT,
    "access_token_expires_at" TIMESTAMPTZ(3),
    "refresh_token_expires_at" TIMESTAMPTZ(3),
    "scope" TEXT,
    "password" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "staff_credential_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "staff_credential_user_id_idx" ON "staff_credential" ("user_id");

CREATE TABLE "staff_verification" (
    "id" UUID NOT NULL,
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "staff_verification_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "staff_verification_identifier_idx" ON "staff_verification" ("identifier");

CREATE TABLE "staff_two_factor" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "secret" TEXT NOT NULL,
    "backup_codes" TEXT NOT NULL,
    "verified" BOOLEAN NOT NULL DEFAULT true,
    "failed_verification_count" INTEGER NOT NULL DEFAULT 0,
    "locked_until" TIMESTAMPTZ(3),

    CONSTRAINT "staff_two_factor_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "staff_two_factor_user_id_idx" ON "staff_two_factor" ("user_id");

CREATE TABLE "staff_link" (
    "id" UUID NOT NULL,
    "kind" "staff_link_kind" NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT,
    "staff_id" UUID,
    "grants" JSON NOT NULL,
    "two_factor_required" BOOLEAN NOT NULL DEFAULT false,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "staff_link_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "staff_link_token_hash_key" ON "staff_link" ("token_hash");
CREATE INDEX "staff_link_email_idx" ON "staff_link" ("email");
CREATE INDEX "staff_link_staff_id_idx" ON "staff_link" ("staff_id");

CREATE TABLE "staff_sign_in_limit" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL,
    "expire" BIGINT,

    CONSTRAINT "staff_sign_in_limit_pkey" PRIMARY KEY ("key")
);

CREATE INDEX "staff_sign_in_limit_expire_idx" ON "staff_sign_in_limit" ("expire");

CREATE TABLE "staff_grant" (
    "staff_id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "role" "staff_role" NOT NULL,
    "granted_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "staff_grant_pkey" PRIMARY KEY ("staff_id", "merchant_id")
);

CREATE TABLE "incident" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "kind" "incident_kind" NOT NULL,
    "severity" "incident_severity" NOT NULL,
    "subject" TEXT NOT NULL,
    "facts" JSON NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "closed_at" TIMESTAMPTZ(3),
    "closed_reason" TEXT,
    "absent_since" TIMESTAMPTZ(3),
    "acknowledged_at" TIMESTAMPTZ(3),
    "acknowledged_by" TEXT,
    "muted_until" TIMESTAMPTZ(3),
    "muted_by" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "incident_pkey" PRIMARY KEY ("merchant_id", "id"),
    CONSTRAINT "incident_closed" CHECK (("closed_at" IS NULL) = ("closed_reason" IS NULL)),
    CONSTRAINT "incident_acknowledged" CHECK (("acknowledged_at" IS NULL) = ("acknowledged_by" IS NULL))
);

CREATE INDEX "incident_merchant_id_mode_opened_at_id_idx" ON "incident" ("merchant_id", "mode", "opened_at", "id");
CREATE UNIQUE INDEX "incident_open" ON "incident" ("merchant_id", "mode", "kind", "subject") WHERE "closed_at" IS NULL;

CREATE TABLE "incident_mute" (
    "merchant_id" UUID NOT NULL,
    "kind" "incident_kind" NOT NULL,
    "muted_until" TIMESTAMPTZ(3) NOT NULL,
    "muted_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "incident_mute_pkey" PRIMARY KEY ("merchant_id", "kind")
);

CREATE TABLE "notification_channel" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" "notification_channel_kind" NOT NULL,
    "name" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "target_hint" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "modes" "mode"[],
    "kinds" "incident_kind"[],
    "min_severity" "incident_severity" NOT NULL,
    "escalations_only" BOOLEAN NOT NULL DEFAULT false,
    "group_seconds" INTEGER NOT NULL,
    "quiet_hours" JSON,
    "escalate_after_minutes" INTEGER,
    "escalate_to_id" UUID,
    "created_by" TEXT NOT NULL,
    "removed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "notification_channel_pkey" PRIMARY KEY ("merchant_id", "id"),
    CONSTRAINT "notification_channel_escalates" CHECK (("escalate_after_minutes" IS NULL) = ("escalate_to_id" IS NULL)),
    CONSTRAINT "notification_channel_groups" CHECK ("group_seconds" BETWEEN 0 AND 600)
);

CREATE TABLE "notification" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "channel_merchant_id" UUID NOT NULL,
    "channel_id" UUID NOT NULL,
    "incident_id" UUID,
    "event" "notification_event" NOT NULL,
    "state" "notification_state" NOT NULL,
    "message_id" UUID,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "error" TEXT,
    "http_status" INTEGER,
    "sent_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "notification_pkey" PRIMARY KEY ("merchant_id", "id"),
    CONSTRAINT "notification_test_has_no_incident" CHECK (("incident_id" IS NULL) = ("event" = 'test')),
    CONSTRAINT "notification_pending_is_due" CHECK (("state" = 'PENDING') = ("next_attempt_at" IS NOT NULL))
);

CREATE UNIQUE INDEX "notification_merchant_id_incident_id_channel_id_event_key" ON "notification"
  ("merchant_id", "incident_id", "channel_id", "event");
CREATE INDEX "notification_merchant_id_created_at_id_idx" ON "notification" ("merchant_id", "created_at", "id");
CREATE INDEX "notification_pending" ON "notification" ("channel_id", "next_attempt_at") WHERE "state" = 'PENDING';
-- The last message of each channel.
CREATE INDEX "notification_by_channel" ON "notification" ("channel_id", "updated_at" DESC) WHERE "state" IN ('SENT', 'FAILED');

-- Every key holds the merchant and none changes it, so that the tables can be distributed by merchant over several servers.
ALTER TABLE "attempt" ADD CONSTRAINT "attempt_merchant_id_payment_id_fkey"
  FOREIGN KEY ("merchant_id", "payment_id") REFERENCES "payment" ("merchant_id", "id") ON DELETE RESTRICT;
ALTER TABLE "timeline_event" ADD CONSTRAINT "timeline_event_merchant_id_payment_id_fkey"
  FOREIGN KEY ("merchant_id", "payment_id") REFERENCES "payment" ("merchant_id", "id") ON DELETE RESTRICT;
ALTER TABLE "refund" ADD CONSTRAINT "refund_merchant_id_payment_id_fkey"
  FOREIGN KEY ("merchant_id", "payment_id") REFERENCES "payment" ("merchant_id", "id") ON DELETE RESTRICT;
ALTER TABLE "saved_view" ADD CONSTRAINT "saved_view_owner_id_fkey"
  FOREIGN KEY ("owner_id") REFERENCES "staff_user" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "staff_session" ADD CONSTRAINT "staff_session_user_id_fkey"
  FOREIGN KEY ("user_id") REFERENCES "staff_user" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "staff_credential" ADD CONSTRAINT "staff_credential_user_id_fkey"
  FOREIGN KEY ("user_id") REFERENCES "staff_user" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "staff_two_factor" ADD CONSTRAINT "staff_two_factor_user_id_fkey"
  FOREIGN KEY ("user_id") REFERENCES "staff_user" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "staff_link" ADD CONSTRAINT "staff_link_staff_id_fkey"
  FOREIGN KEY ("staff_id") REFERENCES "staff_user" ("id") ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "staff_grant" ADD CONSTRAINT "staff_grant_staff_id_fkey"
  FOREIGN KEY ("staff_id") REFERENCES "staff_user" ("id") ON UPDATE CASCADE ON DELETE CASCADE;

-- What has been written stays as it was written, whatever a mistake in the application tries.
CREATE FUNCTION "refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit entries are only ever added';
END $$;

CREATE TRIGGER "audit_entry_append_only" BEFORE UPDATE OR DELETE ON "audit_entry" FOR EACH ROW EXECUTE FUNCTION "refuse_audit_change"();
CREATE TRIGGER "audit_entry_no_truncate" BEFORE TRUNCATE ON "audit_entry" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();

-- A process that has no keys yet would break a chain that is keyed already: its change is refused as a whole.
CREATE FUNCTION "refuse_unkeyed_audit_entry"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM "audit_entry" WHERE "tenant_id" = NEW."tenant_id" AND "position" = NEW."position" - 1 AND "version" > 1
  ) THEN
    RAISE EXCEPTION 'this audit chain is keyed: an entry without a key cannot follow';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER "audit_entry_stays_keyed" BEFORE INSERT ON "audit_entry" FOR EACH ROW WHEN (NEW."version" = 1)
  EXECUTE FUNCTION "refuse_unkeyed_audit_entry"();

-- The account that was paid, else the one whose checkout the customer was given, stands on the payment itself. Whoever names the attempt
-- has named the account; a statement that names the account itself needs no look at the attempt.
CREATE FUNCTION "set_payment_account"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT a.account_id, a.gateway INTO NEW.account_id, NEW.account_gateway FROM attempt AS a
    WHERE a.merchant_id = NEW.merchant_id AND a.id = COALESCE(NEW.paid_attempt_id, NEW.current_attempt_id);
  RETURN NEW;
END $$;

CREATE TRIGGER "payment_set_account" BEFORE UPDATE OF "current_attempt_id", "paid_attempt_id" ON "payment" FOR EACH ROW
  WHEN (ROW(OLD.current_attempt_id, OLD.paid_attempt_id) IS DISTINCT FROM ROW(NEW.current_attempt_id, NEW.paid_attempt_id)
    AND NEW.account_id IS NOT DISTINCT FROM OLD.account_id)
  EXECUTE FUNCTION "set_payment_account"();

-- Roll-ups are kept from change records that every change of a payment or an attempt leaves in its own transaction.
--
-- What one payment adds to the roll-ups; nothing while it is only INITIATED. Fees count once there is money.
CREATE FUNCTION "payment_rollup_contribution"(p "payment", sign INTEGER) RETURNS SETOF "payment_rollup_change" LANGUAGE sql STABLE AS $$
  SELECT gen_random_uuid(), p.merchant_id, p.mode, p.created_at,
    COALESCE(p.account_id, '00000000-0000-0000-0000-000000000000'::uuid), COALESCE(p.account_gateway, ''),
    COALESCE(p.paid_method, p.payment_method, ''), COALESCE(p.rule_id, ''), p.currency, p.status,
    sign, sign * p.amount,
    CASE WHEN p.status IN ('SUCCESS', 'REFUNDED') THEN sign * COALESCE(p.fee_amount, 0) ELSE 0 END,
    sign * p.refunded_amount, CASE WHEN p.late THEN sign ELSE 0 END
  WHERE p.status <> 'INITIATED'
$$;

CREATE FUNCTION "record_payment_rollup_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN INSERT INTO payment_rollup_change SELECT * FROM payment_rollup_contribution(OLD, -1); END IF;
  IF TG_OP <> 'DELETE' THEN INSERT INTO payment_rollup_change SELECT * FROM payment_rollup_contribution(NEW, 1); END IF;
  RETURN NULL;
END $$;

-- Payments change many at a time, in one statement. It leaves one record for all that are alike, by the hour, which is as fine as roll-ups
-- get. What rows were counts against, what they are counts for: rows that stay as they are cancel out in their group.
CREATE FUNCTION "record_payment_rollup_changes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payment_rollup_change (merchant_id, mode, created_at, account_id, gateway, method, rule_id, currency, status,
    payments, amount, fees, refunded, late)
  SELECT merchant_id, mode, hour, account_id, gateway, method, rule_id, currency, status,
    sum(sign), sum(sign * amount), sum(sign * fees), sum(sign * refunded_amount), sum(sign * late)
  FROM (
    SELECT sign, merchant_id, mode, date_trunc('hour', created_at, 'UTC') AS hour,
      COALESCE(account_id, '00000000-0000-0000-0000-000000000000'::uuid) AS account_id, COALESCE(account_gateway, '') AS gateway,
      COALESCE(paid_method, payment_method, '') AS method, COALESCE(rule_id, '') AS rule_id, currency, status, amount,
      CASE WHEN status IN ('SUCCESS', 'REFUNDED') THEN COALESCE(fee_amount, 0) ELSE 0 END AS fees, refunded_amount, late::int AS late
    FROM (SELECT -1 AS sign, * FROM payment_before UNION ALL SELECT 1, * FROM payment_after) AS side
    WHERE status <> 'INITIATED'
  ) AS changes
  GROUP BY merchant_id, mode, hour, account_id, gateway, method, rule_id, currency, status
  HAVING sum(sign) <> 0 OR sum(sign * amount) <> 0 OR sum(sign * fees) <> 0 OR sum(sign * refunded_amount) <> 0
    OR sum(sign * late) <> 0;
  RETURN NULL;
END $$;

CREATE TRIGGER "payment_rollup_insert" AFTER INSERT ON "payment" FOR EACH ROW
  WHEN (NEW.status <> 'INITIATED') EXECUTE FUNCTION "record_payment_rollup_change"();
CREATE TRIGGER "payment_rollup_delete" AFTER DELETE ON "payment" FOR EACH ROW
  WHEN (OLD.status <> 'INITIATED') EXECUTE FUNCTION "record_payment_rollup_change"();
CREATE TRIGGER "payment_rollup_update" AFTER UPDATE ON "payment"
  REFERENCING OLD TABLE AS payment_before NEW TABLE AS payment_after
  FOR EACH STATEMENT EXECUTE FUNCTION "record_payment_rollup_changes"();

-- Buckets of latency: each is a fifth wider than the one before, from 10 ms on. Logarithms of exact decimals would take eleven
-- microseconds of an attempt.
CREATE FUNCTION "latency_bucket"(latency_ms INTEGER) RETURNS SMALLINT LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN latency_ms <= 10 THEN 0 ELSE LEAST(60, ceil(ln(latency_ms / 10.0::float8) / ln(1.2::float8)))::smallint END
$$;

-- An attempt that was given up may turn out to have opened its checkout after all, when the process that began it was only held up. Its
-- first answer is then taken back from the roll-ups, and the other counted.
CREATE FUNCTION "record_attempt_rollup_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.latency_ms IS NOT NULL THEN
    INSERT INTO attempt_rollup_change (merchant_id, created_at, account_id, gateway, result, latency_bucket, attempts)
    VALUES (OLD.merchant_id, OLD.created_at, OLD.account_id, OLD.gateway, COALESCE(OLD.failure_class, 'opened'), latency_bucket(OLD.latency_ms), -1);
  END IF;
  IF NEW.latency_ms IS NOT NULL THEN
    INSERT INTO attempt_rollup_change (merchant_id, created_at, account_id, gateway, result, latency_bucket)
    VALUES (NEW.merchant_id, NEW.created_at, NEW.account_id, NEW.gateway, COALESCE(NEW.failure_class, 'opened'), latency_bucket(NEW.latency_ms));
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION "record_attempt_rollup_changes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO attempt_rollup_change (merchant_id, created_at, account_id, gateway, result, latency_bucket, attempts)
  SELECT merchant_id, date_trunc('hour', created_at, 'UTC') AS hour, account_id, gateway,
    COALESCE(failure_class, 'opened') AS outcome, latency_bucket(latency_ms) AS bucket, sum(sign)
  FROM (
    SELECT -1 AS sign, merchant_id, created_at, account_id, gateway, failure_class, latency_ms FROM attempt_before
    UNION ALL SELECT 1, merchant_id, created_at, account_id, gateway, failure_class, latency_ms FROM attempt_after
  ) AS side
  WHERE latency_ms IS NOT NULL
  GROUP BY merchant_id, hour, account_id, gateway, outcome, bucket
  HAVING sum(sign) <> 0;
  RETURN NULL;
END $$;

CREATE TRIGGER "attempt_rollup_insert" AFTER INSERT ON "attempt" FOR EACH ROW
  WHEN (NEW.latency_ms IS NOT NULL) EXECUTE FUNCTION "record_attempt_rollup_change"();
CREATE TRIGGER "attempt_rollup_update" AFTER UPDATE ON "attempt"
  REFERENCING OLD TABLE AS attempt_before NEW TABLE AS attempt_after
  FOR EACH STATEMENT EXECUTE FUNCTION "record_attempt_rollup_changes"();
