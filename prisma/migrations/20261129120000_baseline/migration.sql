-- The whole schema, in three parts: the tables, as `prisma migrate diff --from-empty --to-schema prisma --script` writes them from prisma/models;
-- what Prisma cannot write; and the functions with their triggers, the text of prisma/functions, file after file. Those files are the truth about
-- functions: who changes one writes the new text there and in a migration, and a test compares what the migrations made with the files. The
-- indexes with included columns are in the second part and not in the first, where they would be keys.

-- CreateEnum
CREATE TYPE "incident_kind" AS ENUM ('gateway_degraded', 'gateway_down', 'correlated_outage', 'duplicate_charge', 'refund_stuck', 'payment_review', 'reconciliation_discrepancy', 'webhook_endpoint_off', 'backlog', 'api_key_expiring', 'credentials_refused', 'certificate_expiring', 'sign_in_from_new_place', 'dispute_opened', 'dispute_due', 'report_failed', 'repeated_payment', 'canary_ended', 'unknown_error_code', 'break_glass_used');

-- CreateEnum
CREATE TYPE "incident_severity" AS ENUM ('info', 'warning', 'critical');

-- CreateEnum
CREATE TYPE "notification_channel_kind" AS ENUM ('email', 'slack', 'teams', 'pagerduty', 'webhook');

-- CreateEnum
CREATE TYPE "notification_event" AS ENUM ('opened', 'acknowledged', 'escalated', 'recovered', 'absorbed', 'test');

-- CreateEnum
CREATE TYPE "notification_state" AS ENUM ('PENDING', 'SENT', 'FAILED', 'SKIPPED');

-- CreateEnum
CREATE TYPE "dispute_state" AS ENUM ('NEEDS_RESPONSE', 'UNDER_REVIEW', 'WON', 'LOST', 'ACCEPTED', 'EXPIRED', 'CLOSED');

-- CreateEnum
CREATE TYPE "dispute_due_source" AS ENUM ('GATEWAY', 'RULE', 'STAFF');

-- CreateEnum
CREATE TYPE "dispute_response_action" AS ENUM ('ACCEPT', 'CONTEST');

-- CreateEnum
CREATE TYPE "dispute_response_state" AS ENUM ('SENDING', 'SENT', 'UNKNOWN', 'REFUSED', 'RECORDED');

-- CreateEnum
CREATE TYPE "gateway_webhook_state" AS ENUM ('RECEIVED', 'PROCESSED', 'IGNORED');

-- CreateEnum
CREATE TYPE "mode" AS ENUM ('test', 'live');

-- CreateEnum
CREATE TYPE "configuration_fault" AS ENUM ('CREDENTIALS', 'SETTINGS');

-- CreateEnum
CREATE TYPE "payment_status" AS ENUM ('INITIATED', 'PENDING', 'SUCCESS', 'FAILED', 'REFUNDED');

-- CreateEnum
CREATE TYPE "attempt_state" AS ENUM ('STARTED', 'OPENED', 'REFUSED', 'UNKNOWN', 'PAID', 'UNPAID');

-- CreateEnum
CREATE TYPE "review_state" AS ENUM ('OPEN', 'RESOLVED');

-- CreateEnum
CREATE TYPE "duplicate_charge_state" AS ENUM ('OPEN', 'REFUNDING', 'REFUNDED', 'DISMISSED');

-- CreateEnum
CREATE TYPE "reconciliation_state" AS ENUM ('QUEUED', 'RUNNING', 'DONE', 'FAILED');

-- CreateEnum
CREATE TYPE "discrepancy_kind" AS ENUM ('MISSING_HERE', 'MISSING_THERE', 'STATUS', 'CURRENCY', 'AMOUNT');

-- CreateEnum
CREATE TYPE "discrepancy_state" AS ENUM ('OPEN', 'EXPLAINED', 'RESOLVED');

-- CreateEnum
CREATE TYPE "refund_state" AS ENUM ('REQUESTED', 'PROCESSING', 'SUCCEEDED', 'FAILED', 'NEEDS_ATTENTION');

-- CreateEnum
CREATE TYPE "refund_approval_state" AS ENUM ('WAITING', 'APPROVED', 'DECLINED', 'WITHDRAWN');

-- CreateEnum
CREATE TYPE "rollup_detail" AS ENUM ('rules', 'accounts', 'all_merchants');

-- CreateEnum
CREATE TYPE "rollup_step" AS ENUM ('hour', 'day');

-- CreateEnum
CREATE TYPE "rule_set_state" AS ENUM ('DRAFT', 'SCHEDULED', 'CANARY', 'PUBLISHED', 'SUPERSEDED', 'WITHDRAWN', 'DISCARDED');

-- CreateEnum
CREATE TYPE "override_action" AS ENUM ('drain', 'disable', 'force');

-- CreateEnum
CREATE TYPE "canary_end" AS ENUM ('PROMOTED', 'ROLLED_BACK', 'STOPPED', 'REPLACED', 'TIME', 'REFUSED');

-- CreateEnum
CREATE TYPE "shadow_end" AS ENUM ('TIME', 'LIMIT', 'STOPPED', 'SAVED', 'PUBLISHED', 'DISCARDED');

-- CreateEnum
CREATE TYPE "shadow_result" AS ENUM ('SAME', 'REORDERED', 'MOVED', 'UNREADABLE');

-- CreateEnum
CREATE TYPE "report_frequency" AS ENUM ('daily', 'weekly', 'monthly');

-- CreateEnum
CREATE TYPE "report_format" AS ENUM ('csv', 'ndjson', 'xlsx');

-- CreateEnum
CREATE TYPE "report_pause" AS ENUM ('person', 'owner_disabled', 'rights_lost');

-- CreateEnum
CREATE TYPE "report_run_state" AS ENUM ('PENDING', 'MADE', 'SENT', 'FAILED');

-- CreateEnum
CREATE TYPE "settlement_status" AS ENUM ('PENDING', 'PAID', 'FAILED', 'WITHDRAWN');

-- CreateEnum
CREATE TYPE "settlement_road" AS ENUM ('POLLED', 'WEBHOOK', 'FILE');

-- CreateEnum
CREATE TYPE "settlement_line_kind" AS ENUM ('PAYMENT', 'REFUND', 'FEE', 'CHARGEBACK', 'ADJUSTMENT', 'OTHER', 'RESIDUE');

-- CreateEnum
CREATE TYPE "settlement_linked_by" AS ENUM ('REFERENCE', 'TRANSACTION', 'AMOUNT_AND_TIME', 'STAFF');

-- CreateEnum
CREATE TYPE "settlement_discrepancy_kind" AS ENUM ('LATE', 'MISSING', 'OVER', 'UNDER', 'UNMATCHED', 'OVERCHARGED');

-- CreateEnum
CREATE TYPE "staff_role" AS ENUM ('owner', 'operator', 'finance', 'support', 'developer', 'viewer');

-- CreateEnum
CREATE TYPE "machine_scope" AS ENUM ('tools', 'drafts', 'reports');

-- CreateEnum
CREATE TYPE "session_factor" AS ENUM ('provider', 'pending');

-- CreateEnum
CREATE TYPE "staff_link_kind" AS ENUM ('invitation', 'password_reset');

-- CreateEnum
CREATE TYPE "delivery_state" AS ENUM ('PENDING', 'DELIVERED', 'FAILED');

-- CreateTable
CREATE TABLE "accounting_setting" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "time_zone" TEXT NOT NULL,
    "mapping" JSONB NOT NULL,
    "needs_review" BOOLEAN NOT NULL DEFAULT false,
    "review_waiver_by" TEXT,
    "review_waiver_at" TIMESTAMPTZ(3),

    CONSTRAINT "accounting_setting_pkey" PRIMARY KEY ("merchant_id","mode")
);

-- CreateTable
CREATE TABLE "month_close" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "month" CHAR(7) NOT NULL,
    "time_zone" TEXT NOT NULL,
    "document" TEXT NOT NULL,
    "hash" CHAR(64) NOT NULL,
    "closed_by" TEXT NOT NULL,
    "closed_at" TIMESTAMPTZ(3) NOT NULL,
    "reviewed_by" TEXT,
    "reviewed_at" TIMESTAMPTZ(3),
    "review_note" TEXT,
    "signed_by" TEXT,
    "signed_name" TEXT,
    "signed_at" TIMESTAMPTZ(3),

    CONSTRAINT "month_close_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "month_close_item" (
    "merchant_id" UUID NOT NULL,
    "close_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "amount" DECIMAL(30,6) NOT NULL,
    "day" DATE NOT NULL,
    "payment_id" UUID,
    "settlement_id" UUID,

    CONSTRAINT "month_close_item_pkey" PRIMARY KEY ("merchant_id","close_id","kind","subject","account_id","currency")
);

-- CreateTable
CREATE TABLE "late_journal" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "close_id" UUID NOT NULL,
    "month" CHAR(7) NOT NULL,
    "number" INTEGER NOT NULL,
    "posted_on" DATE NOT NULL,
    "made_by" TEXT NOT NULL,
    "made_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "late_journal_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "late_journal_item" (
    "merchant_id" UUID NOT NULL,
    "journal_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "amount" DECIMAL(30,6) NOT NULL,
    "day" DATE NOT NULL,
    "payment_id" UUID,
    "settlement_id" UUID,

    CONSTRAINT "late_journal_item_pkey" PRIMARY KEY ("merchant_id","journal_id","kind","subject","account_id","currency")
);

-- CreateTable
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
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "incident_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "incident_note" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "incident_id" UUID NOT NULL,
    "text" TEXT NOT NULL,
    "author" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "incident_note_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "incident_post_mortem" (
    "merchant_id" UUID NOT NULL,
    "incident_id" UUID NOT NULL,
    "text" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "updated_by" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "incident_post_mortem_pkey" PRIMARY KEY ("merchant_id","incident_id")
);

-- CreateTable
CREATE TABLE "incident_account" (
    "merchant_id" UUID NOT NULL,
    "incident_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "met_from" TIMESTAMPTZ(3) NOT NULL,
    "met_until" TIMESTAMPTZ(3),
    "chart" JSON,
    "chart_at" TIMESTAMPTZ(3),

    CONSTRAINT "incident_account_pkey" PRIMARY KEY ("merchant_id","incident_id","account_id")
);

-- CreateTable
CREATE TABLE "incident_mute" (
    "merchant_id" UUID NOT NULL,
    "kind" "incident_kind" NOT NULL,
    "muted_until" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "incident_mute_pkey" PRIMARY KEY ("merchant_id","kind")
);

-- CreateTable
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
    "removed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "notification_channel_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
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

    CONSTRAINT "notification_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
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
    "key_id" TEXT NOT NULL,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "audit_head" (
    "tenant_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,
    "key_id" TEXT NOT NULL,
    "seal" BYTEA NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "audit_head_pkey" PRIMARY KEY ("tenant_id")
);

-- CreateTable
CREATE TABLE "bank_statement" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "hash" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL,
    "format" TEXT NOT NULL,
    "lines" INTEGER NOT NULL,
    "known" INTEGER NOT NULL,
    "taken_by" TEXT NOT NULL,
    "taken_at" TIMESTAMPTZ(3) NOT NULL,
    "withdrawn_at" TIMESTAMPTZ(3),

    CONSTRAINT "bank_statement_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "bank_line" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "statement_id" UUID NOT NULL,
    "bank_account" TEXT NOT NULL,
    "booked_on" DATE NOT NULL,
    "amount" DECIMAL(30,6) NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "text" TEXT NOT NULL,
    "dedupe_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "bank_line_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "bank_line_repeat" (
    "merchant_id" UUID NOT NULL,
    "statement_id" UUID NOT NULL,
    "bank_line_id" UUID NOT NULL,

    CONSTRAINT "bank_line_repeat_pkey" PRIMARY KEY ("merchant_id","statement_id","bank_line_id")
);

-- CreateTable
CREATE TABLE "bank_coverage" (
    "merchant_id" UUID NOT NULL,
    "statement_id" UUID NOT NULL,
    "bank_account" TEXT NOT NULL,
    "covered_from" DATE NOT NULL,
    "covered_to" DATE NOT NULL,
    "mode" "mode" NOT NULL,

    CONSTRAINT "bank_coverage_pkey" PRIMARY KEY ("merchant_id","statement_id","bank_account","covered_from")
);

-- CreateTable
CREATE TABLE "bank_decision" (
    "merchant_id" UUID NOT NULL,
    "bank_line_id" UUID NOT NULL,
    "settlement_id" UUID NOT NULL,
    "is_linked" BOOLEAN NOT NULL,
    "decided_by" TEXT NOT NULL,

    CONSTRAINT "bank_decision_pkey" PRIMARY KEY ("merchant_id","bank_line_id","settlement_id")
);

-- CreateTable
CREATE TABLE "bank_match" (
    "merchant_id" UUID NOT NULL,
    "bank_line_id" UUID NOT NULL,
    "settlement_id" UUID NOT NULL,
    "matched_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "bank_match_pkey" PRIMARY KEY ("merchant_id","bank_line_id","settlement_id")
);

-- CreateTable
CREATE TABLE "bank_matching" (
    "merchant_id" UUID NOT NULL,
    "tolerance" DECIMAL(30,6) NOT NULL,
    "days" SMALLINT NOT NULL,
    "working_days" SMALLINT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "bank_matching_pkey" PRIMARY KEY ("merchant_id")
);

-- CreateTable
CREATE TABLE "bank_profile" (
    "merchant_id" UUID NOT NULL,
    "bank_account" TEXT NOT NULL,
    "mapping" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "bank_profile_pkey" PRIMARY KEY ("merchant_id","bank_account")
);

-- CreateTable
CREATE TABLE "dispute" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "payment_id" UUID,
    "attempt_id" UUID,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "gateway_dispute_id" TEXT NOT NULL,
    "reference" TEXT,
    "transaction_id" TEXT,
    "state" "dispute_state" NOT NULL,
    "category" TEXT,
    "stage" TEXT,
    "amount" DECIMAL(30,6) NOT NULL,
    "taken_back" DECIMAL(30,6) NOT NULL DEFAULT 0,
    "currency" CHAR(3) NOT NULL,
    "fee" DECIMAL(30,6),
    "due_at" TIMESTAMPTZ(3),
    "due_source" "dispute_due_source",
    "manual" BOOLEAN NOT NULL DEFAULT false,
    "unrecognised" TEXT,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "closed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dispute_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "dispute_event" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "dispute_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "actor" TEXT,
    "state" "dispute_state" NOT NULL,
    "detail" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dispute_event_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "dispute_evidence" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "dispute_id" UUID NOT NULL,
    "file_name" TEXT NOT NULL,
    "media_type" TEXT NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "content" BYTEA NOT NULL,
    "uploaded_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dispute_evidence_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "dispute_response" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "dispute_id" UUID NOT NULL,
    "stage" TEXT NOT NULL,
    "action" "dispute_response_action" NOT NULL,
    "state" "dispute_response_state" NOT NULL,
    "amount" DECIMAL(30,6),
    "message" TEXT NOT NULL,
    "customer_name" TEXT,
    "service" TEXT,
    "evidence_id" UUID,
    "attempted_at" TIMESTAMPTZ(3),
    "failure" TEXT,
    "requested_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dispute_response_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "dispute_source" (
    "merchant_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "read_to" TIMESTAMPTZ(3),
    "next_poll_at" TIMESTAMPTZ(3),
    "failure" TEXT,

    CONSTRAINT "dispute_source_pkey" PRIMARY KEY ("merchant_id","account_id")
);

-- CreateTable
CREATE TABLE "gateway_webhook" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "dedupe_key" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "reference" TEXT,
    "transaction_id" TEXT,
    "state" "gateway_webhook_state" NOT NULL,
    "deliveries" INTEGER NOT NULL DEFAULT 1,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "packed_body" BYTEA,

    CONSTRAINT "gateway_webhook_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "webhook_follow_up" (
    "merchant_id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "tries" SMALLINT NOT NULL DEFAULT 0,
    "about" JSON NOT NULL,

    CONSTRAINT "webhook_follow_up_pkey" PRIMARY KEY ("merchant_id","webhook_id")
);

-- CreateTable
CREATE TABLE "webhook_arrival" (
    "merchant_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "arrived_at" TIMESTAMPTZ(3),
    "missed_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_arrival_pkey" PRIMARY KEY ("merchant_id","account_id")
);

-- CreateTable
CREATE TABLE "refused_webhook" (
    "merchant_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "why" TEXT NOT NULL,
    "hour_at" TIMESTAMPTZ(3) NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "refused_webhook_pkey" PRIMARY KEY ("merchant_id","account_id","why","hour_at")
);

-- CreateTable
CREATE TABLE "merchant" (
    "id" UUID NOT NULL,
    "merchant_number" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "default_redirect_url" TEXT,
    "session_minutes" INTEGER NOT NULL DEFAULT 60,
    "refund_duplicates" BOOLEAN NOT NULL DEFAULT false,
    "time_zone" TEXT NOT NULL DEFAULT 'Africa/Lagos',
    "metadata_keys" JSONB NOT NULL DEFAULT '[]',
    "rules_need_approval" BOOLEAN NOT NULL DEFAULT false,
    "approval_waiver_by" TEXT,
    "approval_waiver_at" TIMESTAMPTZ(3),
    "holdout_percent" INTEGER NOT NULL DEFAULT 0,
    "agents_may_write_live" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "merchant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tenant" (
    "id" UUID NOT NULL,

    CONSTRAINT "tenant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "configuration_revision" (
    "merchant_id" UUID NOT NULL,
    "revision" INTEGER NOT NULL,

    CONSTRAINT "configuration_revision_pkey" PRIMARY KEY ("merchant_id")
);

-- CreateTable
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
    "scopes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "allowed_addresses" TEXT[] DEFAULT ARRAY[]::TEXT[],

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "api_key_use" (
    "merchant_id" UUID NOT NULL,
    "key_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "requests" BIGINT NOT NULL,

    CONSTRAINT "api_key_use_pkey" PRIMARY KEY ("merchant_id","key_id","day")
);

-- CreateTable
CREATE TABLE "api_request" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "id" UUID NOT NULL,
    "key_id" UUID NOT NULL,
    "request_id" UUID NOT NULL,
    "method" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "status" SMALLINT,
    "duration_ms" INTEGER NOT NULL,
    "ended_at" TIMESTAMPTZ(3) NOT NULL,
    "payment_id" UUID,
    "request_body" TEXT,
    "response_body" TEXT,

    CONSTRAINT "api_request_pkey" PRIMARY KEY ("merchant_id","mode","id")
);

-- CreateTable
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
    "base_url" TEXT,
    "configuration_fault" "configuration_fault",
    "configuration_fault_message" TEXT,
    "configuration_fault_at" TIMESTAMPTZ(3),
    "connection_tested_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "gateway_account_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "fee_contract" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "applies_from" TIMESTAMPTZ(3) NOT NULL,
    "schedule" JSON,
    "tolerance" DECIMAL(30,6) NOT NULL,
    "note" TEXT,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "fee_contract_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "success_rate" (
    "merchant_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "method" TEXT NOT NULL,
    "amount_from" BIGINT NOT NULL,
    "amount_to" BIGINT,
    "paid" INTEGER NOT NULL,
    "finished" INTEGER NOT NULL,

    CONSTRAINT "success_rate_pkey" PRIMARY KEY ("merchant_id","account_id","currency","method","amount_from")
);

-- CreateTable
CREATE TABLE "effective_rate" (
    "merchant_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "method" TEXT NOT NULL,
    "amount_from" BIGINT NOT NULL,
    "amount_to" BIGINT,
    "rate_millionths" INTEGER NOT NULL,
    "payments" INTEGER NOT NULL,

    CONSTRAINT "effective_rate_pkey" PRIMARY KEY ("merchant_id","account_id","currency","method","amount_from")
);

-- CreateTable
CREATE TABLE "payment" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "merchant_order_id" TEXT NOT NULL,
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
    "recommended_gateway" TEXT NOT NULL,
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
    "reversed_amount" DECIMAL(30,6) NOT NULL DEFAULT 0,
    "reversed_at" TIMESTAMPTZ(3),
    "reversal_cause" TEXT,
    "status" "payment_status" NOT NULL,
    "unusual_status" "payment_status",
    "packed_session" BYTEA NOT NULL,
    "packed_decision" BYTEA NOT NULL,

    CONSTRAINT "payment_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "payment_check" (
    "merchant_id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "next_check_at" TIMESTAMPTZ(3) NOT NULL,
    "initiating" BOOLEAN NOT NULL,
    "check_count" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "payment_check_pkey" PRIMARY KEY ("merchant_id","payment_id")
);

-- CreateTable
CREATE TABLE "attempt" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "failure_class" TEXT,
    "failure_code" TEXT,
    "failure_message" TEXT,
    "latency_ms" INTEGER,
    "transaction_id" TEXT,
    "received_amount" DECIMAL(30,6),
    "received_currency" CHAR(3),
    "duplicate" BOOLEAN NOT NULL DEFAULT false,
    "last_asked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "state" "attempt_state" NOT NULL,
    "packed_call" BYTEA,
    "opened_at" TIMESTAMPTZ(3),

    CONSTRAINT "attempt_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "payer" (
    "merchant_id" UUID NOT NULL,
    "attempt_id" UUID NOT NULL,
    "sealed" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payer_pkey" PRIMARY KEY ("merchant_id","attempt_id")
);

-- CreateTable
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

    CONSTRAINT "timeline_event_pkey" PRIMARY KEY ("merchant_id","payment_id","id")
);

-- CreateTable
CREATE TABLE "payment_note" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "text" TEXT NOT NULL,
    "author" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_note_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
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

    CONSTRAINT "duplicate_charge_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "repeated_payment" (
    "merchant_id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "repeats_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "repeated_payment_pkey" PRIMARY KEY ("merchant_id","payment_id","repeats_id")
);

-- CreateTable
CREATE TABLE "compat_number" (
    "merchant_id" UUID NOT NULL,
    "object_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "number" BIGINT NOT NULL,
    "dialect" TEXT,

    CONSTRAINT "compat_number_pkey" PRIMARY KEY ("merchant_id","object_id")
);

-- CreateTable
CREATE TABLE "idempotency_record" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "resource_id" UUID NOT NULL,
    "status_code" INTEGER,
    "body" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "locked_until" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "process_id" UUID NOT NULL,

    CONSTRAINT "idempotency_record_pkey" PRIMARY KEY ("merchant_id","mode","key")
);

-- CreateTable
CREATE TABLE "retention_setting" (
    "merchant_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "days" INTEGER NOT NULL,

    CONSTRAINT "retention_setting_pkey" PRIMARY KEY ("merchant_id","kind")
);

-- CreateTable
CREATE TABLE "retention_progress" (
    "merchant_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "cursor" UUID,
    "held" UUID[],
    "removed_in_run" INTEGER NOT NULL,
    "removed_last_run" INTEGER NOT NULL,
    "removed_in_all" BIGINT NOT NULL,
    "last_run_at" TIMESTAMPTZ(3),

    CONSTRAINT "retention_progress_pkey" PRIMARY KEY ("merchant_id","kind")
);

-- CreateTable
CREATE TABLE "job_pool" (
    "pool_id" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "job_pool_pkey" PRIMARY KEY ("pool_id")
);

-- CreateTable
CREATE TABLE "process_heartbeat" (
    "process_id" UUID NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "process_heartbeat_pkey" PRIMARY KEY ("process_id")
);

-- CreateTable
CREATE TABLE "secret_check" (
    "name" TEXT NOT NULL,
    "value" BYTEA NOT NULL,

    CONSTRAINT "secret_check_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "database_epoch" (
    "identity" TEXT NOT NULL,
    "began_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "database_epoch_pkey" PRIMARY KEY ("identity")
);

-- CreateTable
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
    "timed_out" INTEGER NOT NULL DEFAULT 0,
    "refused" INTEGER NOT NULL DEFAULT 0,
    "server_error" INTEGER NOT NULL DEFAULT 0,
    "rate_limited" INTEGER NOT NULL DEFAULT 0,
    "malformed" INTEGER NOT NULL DEFAULT 0,
    "latency_ms_sum" BIGINT NOT NULL,
    "lookups_answered" INTEGER NOT NULL DEFAULT 0,
    "lookups_failed" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "health_bucket_pkey" PRIMARY KEY ("merchant_id","account_id","method","bucket_at","process_id")
);

-- CreateTable
CREATE TABLE "gateway_code" (
    "merchant_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "operation" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "first_at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    "payment_ids" UUID[],

    CONSTRAINT "gateway_code_pkey" PRIMARY KEY ("merchant_id","account_id","day","operation","code")
);

-- CreateTable
CREATE TABLE "health_status" (
    "merchant_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "method" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "why" JSON NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "count_from" TIMESTAMPTZ(3) NOT NULL,
    "relapses" INTEGER NOT NULL,
    "demoted_to" TEXT,
    "demoted_by" TEXT,
    "demoted_at" TIMESTAMPTZ(3),
    "demoted_succeeded" INTEGER NOT NULL DEFAULT 0,
    "demoted_faulted" INTEGER NOT NULL DEFAULT 0,
    "demoted_shared" INTEGER NOT NULL DEFAULT 0,
    "usual_ms" INTEGER,
    "usual_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL,

    CONSTRAINT "health_status_pkey" PRIMARY KEY ("merchant_id","account_id","method")
);

-- CreateTable
CREATE TABLE "health_threshold_set" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "changes" JSON NOT NULL,
    "revision" INTEGER NOT NULL,
    "updated_by" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "health_threshold_set_pkey" PRIMARY KEY ("merchant_id","mode")
);

-- CreateTable
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

    CONSTRAINT "health_event_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
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
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "compared_at" TIMESTAMPTZ(3),
    "failure" TEXT,
    "totals" JSON,

    CONSTRAINT "reconciliation_run_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
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

    CONSTRAINT "reconciliation_discrepancy_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "reconciliation_setting" (
    "merchant_id" UUID NOT NULL,
    "tolerance" DECIMAL(30,6) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reconciliation_setting_pkey" PRIMARY KEY ("merchant_id")
);

-- CreateTable
CREATE TABLE "refund" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "payment_id" UUID NOT NULL,
    "attempt_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "transaction_id" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "state" "refund_state" NOT NULL,
    "reason" TEXT,
    "reason_code" TEXT,
    "reference" TEXT NOT NULL,
    "gateway_refund_id" TEXT,
    "requested_by" TEXT NOT NULL,
    "duplicate" BOOLEAN NOT NULL DEFAULT false,
    "mismatched" BOOLEAN NOT NULL DEFAULT false,
    "failure_message" TEXT,
    "sent_at" TIMESTAMPTZ(3),
    "send_count" INTEGER NOT NULL DEFAULT 0,
    "held_at" TIMESTAMPTZ(3),
    "cleared_at" TIMESTAMPTZ(3),
    "next_check_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "note" TEXT,
    "resolved_by" TEXT,
    "resolved_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "refund_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "refund_approval" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "payment_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "subject_id" UUID,
    "amount" BIGINT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "gateway" TEXT NOT NULL,
    "reason" TEXT,
    "reason_code" TEXT,
    "note" TEXT,
    "state" "refund_approval_state" NOT NULL,
    "requested_by" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_by" TEXT,
    "decided_at" TIMESTAMPTZ(3),
    "decision_note" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "refund_approval_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "refund_control" (
    "merchant_id" UUID NOT NULL,
    "second_person_above" BIGINT,
    "waiver_above" BIGINT,
    "waiver_by" TEXT,
    "waiver_at" TIMESTAMPTZ(3),
    "daily_limits" JSON NOT NULL,
    "reason_codes" JSON NOT NULL,

    CONSTRAINT "refund_control_pkey" PRIMARY KEY ("merchant_id")
);

-- CreateTable
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
    "reversed" DECIMAL(30,6) NOT NULL DEFAULT 0,
    "expired" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "payment_rollup_pkey" PRIMARY KEY ("merchant_id","mode","detail","step","begins_at","account_id","gateway","method","rule_id","currency","status")
);

-- CreateTable
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
    "reversed" DECIMAL(30,6) NOT NULL DEFAULT 0,
    "expired" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "payment_rollup_change_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "attempt_rollup" (
    "merchant_id" UUID NOT NULL,
    "hour_at" TIMESTAMPTZ(3) NOT NULL,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "result" TEXT NOT NULL,
    "latency_bucket" SMALLINT NOT NULL,
    "attempts" BIGINT NOT NULL,

    CONSTRAINT "attempt_rollup_pkey" PRIMARY KEY ("merchant_id","hour_at","account_id","result","latency_bucket")
);

-- CreateTable
CREATE TABLE "attempt_rollup_change" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "result" TEXT NOT NULL,
    "latency_bucket" SMALLINT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "attempt_rollup_change_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "rule_set_version" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "version" INTEGER,
    "state" "rule_set_state" NOT NULL,
    "name" TEXT,
    "document" JSON NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "base_version" INTEGER NOT NULL,
    "restored_version" INTEGER,
    "reason" TEXT,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "editors" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "saved_by" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "approval_requested_by" TEXT,
    "approval_requested_at" TIMESTAMPTZ(3),
    "approved_by" TEXT,
    "approved_at" TIMESTAMPTZ(3),
    "rejected_by" TEXT,
    "rejected_at" TIMESTAMPTZ(3),
    "rejection_reason" TEXT,
    "publish_at" TIMESTAMPTZ(3),
    "scheduled_by" TEXT,
    "schedule_refusal" JSON,
    "published_by" TEXT,
    "published_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "rule_set_version_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "rule_canary" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "rule_set_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "live_version" INTEGER NOT NULL,
    "salt" TEXT NOT NULL,
    "percent" INTEGER NOT NULL,
    "tolerated_loss" INTEGER NOT NULL,
    "horizon_minutes" INTEGER NOT NULL,
    "reason" TEXT,
    "started_by" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "ended_by" TEXT,
    "ended" "canary_end",
    "refusal" TEXT,
    "scanned_to" TIMESTAMPTZ(3) NOT NULL,
    "scanned_id" UUID NOT NULL,
    "sums" JSON NOT NULL,

    CONSTRAINT "rule_canary_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "canary_unit" (
    "merchant_id" UUID NOT NULL,
    "canary_id" UUID NOT NULL,
    "customer" TEXT NOT NULL,
    "payment_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "tried" BOOLEAN NOT NULL,
    "paid" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "promote" DOUBLE PRECISION NOT NULL,
    "roll_back" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "canary_unit_pkey" PRIMARY KEY ("merchant_id","canary_id","customer")
);

-- CreateTable
CREATE TABLE "holdout_progress" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "scanned_to" TIMESTAMPTZ(3) NOT NULL,
    "scanned_id" UUID NOT NULL,

    CONSTRAINT "holdout_progress_pkey" PRIMARY KEY ("merchant_id","mode")
);

-- CreateTable
CREATE TABLE "holdout_month" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "month" TEXT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "percent" INTEGER NOT NULL,
    "sums" JSON NOT NULL,
    "routed_payments" INTEGER NOT NULL,
    "routed_amount" BIGINT NOT NULL,
    "routed_fees" DECIMAL(30,6) NOT NULL,
    "held_out_amount" BIGINT NOT NULL,
    "held_out_fees" DECIMAL(30,6) NOT NULL,

    CONSTRAINT "holdout_month_pkey" PRIMARY KEY ("merchant_id","mode","month","currency")
);

-- CreateTable
CREATE TABLE "holdout_customer" (
    "merchant_id" UUID NOT NULL,
    "customer" TEXT NOT NULL,
    "payment_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "holdout_customer_pkey" PRIMARY KEY ("merchant_id","customer")
);

-- CreateTable
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
    "ended" "shadow_end",
    "scanned_to" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "shadow_run_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "shadow_decision" (
    "merchant_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "method" TEXT,
    "result" "shadow_result" NOT NULL,
    "rule_id" TEXT,
    "live_account_id" UUID,
    "account_id" UUID,
    "live_fee" BIGINT,
    "fee" BIGINT,

    CONSTRAINT "shadow_decision_pkey" PRIMARY KEY ("merchant_id","run_id","payment_id")
);

-- CreateTable
CREATE TABLE "routing_override" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "account_id" UUID,
    "gateway" TEXT,
    "mode" "mode",
    "method" TEXT,
    "action" "override_action" NOT NULL,
    "reason" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "starts_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "ended_by" TEXT,
    "put_back" BOOLEAN NOT NULL DEFAULT false,
    "troubled_at" TIMESTAMPTZ(3),
    "recovered_at" TIMESTAMPTZ(3),

    CONSTRAINT "routing_override_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "account_snapshot" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "accounts" JSON NOT NULL,

    CONSTRAINT "account_snapshot_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "report_schedule" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "name" TEXT NOT NULL,
    "list" TEXT NOT NULL,
    "filter" JSON NOT NULL,
    "format" "report_format" NOT NULL,
    "frequency" "report_frequency" NOT NULL,
    "hour" INTEGER NOT NULL,
    "time_zone" TEXT NOT NULL,
    "recipients" TEXT[],
    "owner_id" UUID NOT NULL,
    "next_day" DATE NOT NULL,
    "next_due_at" TIMESTAMPTZ(3) NOT NULL,
    "paused_at" TIMESTAMPTZ(3),
    "pause" "report_pause",
    "removed_at" TIMESTAMPTZ(3),
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "report_schedule_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "report_run" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "schedule_id" UUID NOT NULL,
    "first_day" DATE NOT NULL,
    "last_day" DATE NOT NULL,
    "request_id" UUID NOT NULL,
    "requested_by" TEXT,
    "state" "report_run_state" NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "format" "report_format",
    "error" TEXT,
    "merchant_ids" UUID[],
    "rows" INTEGER,
    "bytes" INTEGER,
    "link_hash" BYTEA,
    "link_expires_at" TIMESTAMPTZ(3),
    "link_revoked_at" TIMESTAMPTZ(3),
    "downloads" INTEGER NOT NULL DEFAULT 0,
    "made_at" TIMESTAMPTZ(3),
    "sent_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "report_run_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "report_file" (
    "merchant_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "content" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "report_file_pkey" PRIMARY KEY ("merchant_id","run_id")
);

-- CreateTable
CREATE TABLE "settlement" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "road" "settlement_road" NOT NULL,
    "file_id" UUID,
    "status" "settlement_status" NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "gross" DECIMAL(30,6) NOT NULL,
    "fees" DECIMAL(30,6) NOT NULL,
    "deductions" DECIMAL(30,6) NOT NULL,
    "net" DECIMAL(30,6) NOT NULL,
    "period_from" TIMESTAMPTZ(3),
    "period_to" TIMESTAMPTZ(3),
    "settled_on" DATE,
    "lines_read_at" TIMESTAMPTZ(3),
    "line_count" INTEGER NOT NULL DEFAULT 0,
    "explained" DECIMAL(30,6) NOT NULL DEFAULT 0,
    "unexplained" DECIMAL(30,6) NOT NULL DEFAULT 0,
    "unrecognised" TEXT,
    "unrecognised_record" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "settlement_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "settlement_line" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "settlement_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "file_id" UUID,
    "position" INTEGER NOT NULL,
    "kind" "settlement_line_kind" NOT NULL,
    "amount" DECIMAL(30,6) NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "reference" TEXT,
    "transaction_id" TEXT,
    "description" TEXT,
    "occurred_at" TIMESTAMPTZ(3),
    "payment_id" UUID,
    "refund_id" UUID,
    "dispute_id" UUID,
    "subjects" TEXT[],
    "linked_by" "settlement_linked_by",
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "settlement_line_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "settlement_discrepancy" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "kind" "settlement_discrepancy_kind" NOT NULL,
    "subject" TEXT NOT NULL,
    "state" "discrepancy_state" NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "expected" DECIMAL(30,6),
    "settled" DECIMAL(30,6),
    "expected_on" DATE,
    "settlement_id" UUID,
    "line_id" UUID,
    "payment_id" UUID,
    "refund_id" UUID,
    "dispute_id" UUID,
    "owner_id" UUID,
    "note" TEXT,
    "resolved_by" TEXT,
    "resolved_at" TIMESTAMPTZ(3),
    "resolution" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "settlement_discrepancy_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "settlement_ignore_rule" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "account_id" UUID,
    "kind" "settlement_discrepancy_kind" NOT NULL,
    "line_kind" "settlement_line_kind",
    "amount_max" DECIMAL(30,6) NOT NULL,
    "reason" TEXT NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_by" TEXT,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "settlement_ignore_rule_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "settlement_calendar" (
    "merchant_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "working_days" SMALLINT NOT NULL,
    "holidays" DATE[],
    "grace_days" SMALLINT NOT NULL,
    "tolerance" DECIMAL(30,6) NOT NULL,
    "tolerance_minutes" INTEGER NOT NULL,

    CONSTRAINT "settlement_calendar_pkey" PRIMARY KEY ("merchant_id","account_id")
);

-- CreateTable
CREATE TABLE "settlement_source" (
    "merchant_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "read_from" TIMESTAMPTZ(3),
    "read_to" TIMESTAMPTZ(3),
    "heard_at" TIMESTAMPTZ(3),
    "last_intake_at" TIMESTAMPTZ(3),
    "next_poll_at" TIMESTAMPTZ(3),
    "matched_at" TIMESTAMPTZ(3),
    "judged_at" TIMESTAMPTZ(3),
    "fees_to" TIMESTAMPTZ(3),
    "fees_at" TIMESTAMPTZ(3),
    "leased_until" TIMESTAMPTZ(3),
    "failure" TEXT,

    CONSTRAINT "settlement_source_pkey" PRIMARY KEY ("merchant_id","account_id")
);

-- CreateTable
CREATE TABLE "settlement_file" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "account_id" UUID NOT NULL,
    "hash" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL,
    "mapping" JSONB NOT NULL,
    "entered" JSONB,
    "rows" INTEGER NOT NULL,
    "settlements" INTEGER NOT NULL,
    "lines" INTEGER NOT NULL,
    "replaced" INTEGER NOT NULL DEFAULT 0,
    "extended" INTEGER NOT NULL DEFAULT 0,
    "taken_by" TEXT NOT NULL,
    "taken_at" TIMESTAMPTZ(3) NOT NULL,
    "withdrawn_at" TIMESTAMPTZ(3),

    CONSTRAINT "settlement_file_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "settlement_profile" (
    "merchant_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "mapping" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "settlement_profile_pkey" PRIMARY KEY ("merchant_id","account_id")
);

-- CreateTable
CREATE TABLE "intake_change" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "action" TEXT NOT NULL,
    "account_id" UUID,
    "settlement_id" UUID,
    "file_id" UUID,
    "statement_id" UUID,
    "before" JSONB NOT NULL,
    "after" JSONB,
    "reason" TEXT NOT NULL,
    "changed_by" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "intake_change_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "withdrawn_line" (
    "merchant_id" UUID NOT NULL,
    "change_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "payment_id" UUID,
    "line" JSONB NOT NULL,

    CONSTRAINT "withdrawn_line_pkey" PRIMARY KEY ("merchant_id","change_id","id")
);

-- CreateTable
CREATE TABLE "payment_fee" (
    "merchant_id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "method" TEXT,
    "amount" DECIMAL(30,6) NOT NULL,
    "contract_id" UUID,
    "expected" DECIMAL(30,6),
    "reported" DECIMAL(30,6),
    "settled" DECIMAL(30,6),
    "charged" DECIMAL(30,6),
    "excess" DECIMAL(30,6) NOT NULL,
    "settlement_id" UUID,
    "settled_on" DATE,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "paid_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_fee_pkey" PRIMARY KEY ("merchant_id","payment_id")
);

-- CreateTable
CREATE TABLE "staff_user" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "email_verified" BOOLEAN NOT NULL DEFAULT false,
    "image" TEXT,
    "two_factor_enabled" BOOLEAN NOT NULL DEFAULT false,
    "two_factor_required" BOOLEAN NOT NULL DEFAULT false,
    "break_glass" BOOLEAN NOT NULL DEFAULT false,
    "time_zone" TEXT,
    "tables" JSONB NOT NULL DEFAULT '{}',
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "staff_user_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "staff_session" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "factor" "session_factor",
    "token" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ip_address" TEXT,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "staff_session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
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

-- CreateTable
CREATE TABLE "staff_verification" (
    "id" TEXT NOT NULL,
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "staff_verification_pkey" PRIMARY KEY ("id")
);

-- CreateTable
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

-- CreateTable
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

-- CreateTable
CREATE TABLE "staff_sign_in_limit" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL,
    "expire" BIGINT,

    CONSTRAINT "staff_sign_in_limit_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "custom_role" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "permissions" TEXT[],
    "test_permissions" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "custom_role_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "staff_grant" (
    "staff_id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "role" "staff_role",
    "custom_role_id" UUID,
    "granted_by" TEXT NOT NULL,
    "group_name" TEXT,
    "provider_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "staff_grant_pkey" PRIMARY KEY ("staff_id","merchant_id")
);

-- CreateTable
CREATE TABLE "sso_provider" (
    "id" UUID NOT NULL,
    "provider_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "oidc_config" TEXT,
    "saml_config" TEXT,
    "client_secret" TEXT,
    "group_claim" TEXT NOT NULL,
    "required" BOOLEAN NOT NULL DEFAULT false,
    "second_factor_required" BOOLEAN NOT NULL DEFAULT false,
    "organization_id" TEXT,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sso_provider_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "group_role" (
    "id" UUID NOT NULL,
    "provider_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "group_name" TEXT NOT NULL,
    "merchant_id" UUID,
    "role" "staff_role",
    "custom_role_id" UUID,

    CONSTRAINT "group_role_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "setup_dismissal" (
    "staff_id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "dismissed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "setup_dismissal_pkey" PRIMARY KEY ("staff_id","merchant_id")
);

-- CreateTable
CREATE TABLE "saved_view" (
    "id" UUID NOT NULL,
    "page" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "owner_id" UUID NOT NULL,
    "shared" BOOLEAN NOT NULL,

    CONSTRAINT "saved_view_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "machine_token" (
    "id" UUID NOT NULL,
    "public_id" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "name" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "staff_id" UUID NOT NULL,
    "scopes" "machine_scope"[],
    "merchant_ids" UUID[],
    "modes" "mode"[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_by" TEXT,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "machine_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "scim_token" (
    "id" UUID NOT NULL,
    "provider_id" UUID NOT NULL,
    "public_id" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "last_four" TEXT NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_by" TEXT,

    CONSTRAINT "scim_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "scim_user" (
    "user_id" UUID NOT NULL,
    "provider_id" UUID NOT NULL,
    "user_name" TEXT,
    "user_name_key" TEXT,
    "external_id" TEXT,
    "given_name" TEXT,
    "family_name" TEXT,
    "display_name" TEXT,
    "active" BOOLEAN NOT NULL,
    "deactivated_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "scim_user_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "scim_group" (
    "id" UUID NOT NULL,
    "provider_id" UUID NOT NULL,
    "display_name" TEXT NOT NULL,
    "display_name_key" TEXT NOT NULL,
    "external_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "scim_group_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "scim_group_member" (
    "group_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,

    CONSTRAINT "scim_group_member_pkey" PRIMARY KEY ("group_id","user_id")
);

-- CreateTable
CREATE TABLE "merchant_event" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "payment_id" UUID,
    "position" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "packed_body" BYTEA NOT NULL,

    CONSTRAINT "merchant_event_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "webhook_endpoint" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "types" TEXT[],
    "format" TEXT NOT NULL DEFAULT 'switchyard',
    "secrets" TEXT[],
    "previous_secret_ends_at" TIMESTAMPTZ(3),
    "enabled" BOOLEAN NOT NULL,
    "failing_since" TIMESTAMPTZ(3),
    "last_failed_at" TIMESTAMPTZ(3),
    "last_delivered_at" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,
    "certificate_expires_at" TIMESTAMPTZ(3),
    "removed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_endpoint_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
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
    "due_at" TIMESTAMPTZ(3),
    "settled_attempts" INTEGER,
    "url" TEXT,
    "duration_ms" INTEGER,
    "answer" TEXT,

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "due_delivery" (
    "merchant_id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "delivery_id" UUID NOT NULL,

    CONSTRAINT "due_delivery_pkey" PRIMARY KEY ("merchant_id","endpoint_id","due_at","delivery_id")
);

-- CreateTable
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

    CONSTRAINT "webhook_delivery_attempt_pkey" PRIMARY KEY ("merchant_id","delivery_id","number")
);

-- CreateTable
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

    CONSTRAINT "webhook_resend_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "month_close_merchant_id_mode_month_key" ON "month_close"("merchant_id", "mode", "month");

-- CreateIndex
CREATE INDEX "late_journal_merchant_id_close_id_number_idx" ON "late_journal"("merchant_id", "close_id", "number");

-- CreateIndex
CREATE UNIQUE INDEX "late_journal_merchant_id_mode_number_key" ON "late_journal"("merchant_id", "mode", "number");

-- CreateIndex
CREATE INDEX "incident_merchant_id_mode_opened_at_id_idx" ON "incident"("merchant_id", "mode", "opened_at", "id");

-- CreateIndex
CREATE INDEX "incident_note_merchant_id_incident_id_created_at_id_idx" ON "incident_note"("merchant_id", "incident_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "incident_account_met_until_idx" ON "incident_account"("met_until");

-- CreateIndex
CREATE INDEX "notification_merchant_id_created_at_id_idx" ON "notification"("merchant_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "notification_merchant_id_incident_id_channel_id_event_key" ON "notification"("merchant_id", "incident_id", "channel_id", "event");

-- CreateIndex
CREATE INDEX "audit_entry_tenant_id_created_at_idx" ON "audit_entry"("tenant_id", "created_at");

-- CreateIndex
CREATE INDEX "audit_entry_tenant_id_object_id_created_at_idx" ON "audit_entry"("tenant_id", "object_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "audit_entry_tenant_id_position_key" ON "audit_entry"("tenant_id", "position");

-- CreateIndex
CREATE INDEX "bank_statement_merchant_id_mode_hash_idx" ON "bank_statement"("merchant_id", "mode", "hash");

-- CreateIndex
CREATE INDEX "bank_statement_merchant_id_mode_taken_at_id_idx" ON "bank_statement"("merchant_id", "mode", "taken_at", "id");

-- CreateIndex
CREATE INDEX "bank_line_merchant_id_mode_booked_on_id_idx" ON "bank_line"("merchant_id", "mode", "booked_on", "id");

-- CreateIndex
CREATE UNIQUE INDEX "bank_line_merchant_id_mode_bank_account_dedupe_key_key" ON "bank_line"("merchant_id", "mode", "bank_account", "dedupe_key");

-- CreateIndex
CREATE INDEX "bank_line_repeat_merchant_id_bank_line_id_idx" ON "bank_line_repeat"("merchant_id", "bank_line_id");

-- CreateIndex
CREATE INDEX "bank_match_merchant_id_settlement_id_idx" ON "bank_match"("merchant_id", "settlement_id");

-- CreateIndex
CREATE INDEX "dispute_merchant_id_payment_id_idx" ON "dispute"("merchant_id", "payment_id");

-- CreateIndex
CREATE INDEX "dispute_merchant_id_mode_created_at_id_idx" ON "dispute"("merchant_id", "mode", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "dispute_merchant_id_account_id_gateway_dispute_id_key" ON "dispute"("merchant_id", "account_id", "gateway_dispute_id");

-- CreateIndex
CREATE INDEX "dispute_event_merchant_id_dispute_id_id_idx" ON "dispute_event"("merchant_id", "dispute_id", "id");

-- CreateIndex
CREATE INDEX "dispute_evidence_merchant_id_dispute_id_id_idx" ON "dispute_evidence"("merchant_id", "dispute_id", "id");

-- CreateIndex
CREATE INDEX "dispute_response_merchant_id_dispute_id_idx" ON "dispute_response"("merchant_id", "dispute_id");

-- CreateIndex
CREATE UNIQUE INDEX "gateway_webhook_merchant_id_account_id_dedupe_key_key" ON "gateway_webhook"("merchant_id", "account_id", "dedupe_key");

-- CreateIndex
CREATE UNIQUE INDEX "merchant_merchant_number_key" ON "merchant"("merchant_number");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_public_id_key" ON "api_key"("public_id");

-- CreateIndex
CREATE INDEX "api_key_merchant_id_mode_created_at_idx" ON "api_key"("merchant_id", "mode", "created_at");

-- CreateIndex
CREATE INDEX "api_request_by_request_id" ON "api_request"("merchant_id", "request_id");

-- CreateIndex
CREATE UNIQUE INDEX "gateway_account_merchant_id_mode_label_key" ON "gateway_account"("merchant_id", "mode", "label");

-- CreateIndex
CREATE INDEX "payment_by_amount_and_id" ON "payment"("merchant_id", "mode", "amount", "id");

-- CreateIndex
CREATE INDEX "payment_by_paid" ON "payment" USING BRIN ("paid_at");

-- CreateIndex
CREATE UNIQUE INDEX "payment_merchant_id_mode_merchant_order_id_key" ON "payment"("merchant_id", "mode", "merchant_order_id");

-- CreateIndex
CREATE INDEX "payment_check_due" ON "payment_check"("next_check_at");

-- CreateIndex
CREATE INDEX "attempt_by_account_and_time" ON "attempt"("account_id", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "attempt_merchant_id_payment_id_position_key" ON "attempt"("merchant_id", "payment_id", "position");

-- CreateIndex
CREATE INDEX "payment_note_merchant_id_payment_id_created_at_id_idx" ON "payment_note"("merchant_id", "payment_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "duplicate_charge_merchant_id_mode_created_at_id_idx" ON "duplicate_charge"("merchant_id", "mode", "created_at", "id");

-- CreateIndex
CREATE INDEX "duplicate_charge_merchant_id_payment_id_idx" ON "duplicate_charge"("merchant_id", "payment_id");

-- CreateIndex
CREATE UNIQUE INDEX "duplicate_charge_merchant_id_account_id_transaction_id_key" ON "duplicate_charge"("merchant_id", "account_id", "transaction_id");

-- CreateIndex
CREATE INDEX "repeated_payment_created_at_idx" ON "repeated_payment"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "compat_number_merchant_id_number_key" ON "compat_number"("merchant_id", "number");

-- CreateIndex
CREATE INDEX "idempotency_record_expires_at_idx" ON "idempotency_record"("expires_at");

-- CreateIndex
CREATE INDEX "health_bucket_bucket_at_idx" ON "health_bucket"("bucket_at");

-- CreateIndex
CREATE INDEX "gateway_code_day_idx" ON "gateway_code"("day");

-- CreateIndex
CREATE INDEX "health_event_merchant_id_created_at_idx" ON "health_event"("merchant_id", "created_at");

-- CreateIndex
CREATE INDEX "reconciliation_run_merchant_id_mode_day_id_idx" ON "reconciliation_run"("merchant_id", "mode", "day", "id");

-- CreateIndex
CREATE UNIQUE INDEX "reconciliation_run_merchant_id_account_id_day_key" ON "reconciliation_run"("merchant_id", "account_id", "day");

-- CreateIndex
CREATE INDEX "reconciliation_discrepancy_merchant_id_mode_day_id_idx" ON "reconciliation_discrepancy"("merchant_id", "mode", "day", "id");

-- CreateIndex
CREATE INDEX "reconciliation_discrepancy_merchant_id_payment_id_idx" ON "reconciliation_discrepancy"("merchant_id", "payment_id");

-- CreateIndex
CREATE UNIQUE INDEX "reconciliation_discrepancy_merchant_id_account_id_day_kind__key" ON "reconciliation_discrepancy"("merchant_id", "account_id", "day", "kind", "subject");

-- CreateIndex
CREATE INDEX "refund_merchant_id_payment_id_created_at_idx" ON "refund"("merchant_id", "payment_id", "created_at");

-- CreateIndex
CREATE INDEX "refund_merchant_id_mode_created_at_id_idx" ON "refund"("merchant_id", "mode", "created_at", "id");

-- CreateIndex
CREATE INDEX "refund_merchant_id_account_id_gateway_refund_id_idx" ON "refund"("merchant_id", "account_id", "gateway_refund_id");

-- CreateIndex
CREATE INDEX "refund_by_amount" ON "refund"("merchant_id", "mode", "amount", "id");

-- CreateIndex
CREATE UNIQUE INDEX "refund_merchant_id_account_id_reference_key" ON "refund"("merchant_id", "account_id", "reference");

-- CreateIndex
CREATE INDEX "refund_approval_merchant_id_mode_created_at_id_idx" ON "refund_approval"("merchant_id", "mode", "created_at", "id");

-- CreateIndex
CREATE INDEX "refund_approval_merchant_id_payment_id_idx" ON "refund_approval"("merchant_id", "payment_id");

-- CreateIndex
CREATE INDEX "rule_set_version_merchant_id_mode_state_idx" ON "rule_set_version"("merchant_id", "mode", "state");

-- CreateIndex
CREATE UNIQUE INDEX "rule_set_version_merchant_id_mode_version_key" ON "rule_set_version"("merchant_id", "mode", "version");

-- CreateIndex
CREATE INDEX "rule_canary_merchant_id_mode_started_at_idx" ON "rule_canary"("merchant_id", "mode", "started_at");

-- CreateIndex
CREATE INDEX "canary_unit_merchant_id_payment_id_idx" ON "canary_unit"("merchant_id", "payment_id");

-- CreateIndex
CREATE UNIQUE INDEX "canary_unit_merchant_id_canary_id_position_key" ON "canary_unit"("merchant_id", "canary_id", "position");

-- CreateIndex
CREATE INDEX "holdout_customer_merchant_id_payment_id_idx" ON "holdout_customer"("merchant_id", "payment_id");

-- CreateIndex
CREATE INDEX "holdout_customer_merchant_id_created_at_idx" ON "holdout_customer"("merchant_id", "created_at");

-- CreateIndex
CREATE INDEX "shadow_run_merchant_id_draft_id_started_at_idx" ON "shadow_run"("merchant_id", "draft_id", "started_at");

-- CreateIndex
CREATE INDEX "routing_override_merchant_id_account_id_created_at_idx" ON "routing_override"("merchant_id", "account_id", "created_at");

-- CreateIndex
CREATE INDEX "report_schedule_next_due_at_idx" ON "report_schedule"("next_due_at");

-- CreateIndex
CREATE UNIQUE INDEX "report_run_link_hash_key" ON "report_run"("link_hash");

-- CreateIndex
CREATE INDEX "report_run_next_attempt_at_idx" ON "report_run"("next_attempt_at");

-- CreateIndex
CREATE UNIQUE INDEX "report_run_of_period" ON "report_run"("merchant_id", "schedule_id", "first_day", "last_day", "request_id");

-- CreateIndex
CREATE INDEX "settlement_merchant_id_mode_settled_on_id_idx" ON "settlement"("merchant_id", "mode", "settled_on", "id");

-- CreateIndex
CREATE UNIQUE INDEX "settlement_merchant_id_account_id_reference_key" ON "settlement"("merchant_id", "account_id", "reference");

-- CreateIndex
CREATE INDEX "settlement_line_merchant_id_payment_id_idx" ON "settlement_line"("merchant_id", "payment_id");

-- CreateIndex
CREATE INDEX "settlement_line_merchant_id_account_id_reference_idx" ON "settlement_line"("merchant_id", "account_id", "reference");

-- CreateIndex
CREATE INDEX "settlement_line_merchant_id_account_id_linked_by_id_idx" ON "settlement_line"("merchant_id", "account_id", "linked_by", "id");

-- CreateIndex
CREATE UNIQUE INDEX "settlement_line_merchant_id_settlement_id_position_key" ON "settlement_line"("merchant_id", "settlement_id", "position");

-- CreateIndex
CREATE INDEX "settlement_discrepancy_merchant_id_mode_state_created_at_id_idx" ON "settlement_discrepancy"("merchant_id", "mode", "state", "created_at", "id");

-- CreateIndex
CREATE INDEX "settlement_discrepancy_merchant_id_payment_id_idx" ON "settlement_discrepancy"("merchant_id", "payment_id");

-- CreateIndex
CREATE UNIQUE INDEX "settlement_discrepancy_merchant_id_account_id_subject_key" ON "settlement_discrepancy"("merchant_id", "account_id", "subject");

-- CreateIndex
CREATE INDEX "settlement_file_merchant_id_account_id_hash_idx" ON "settlement_file"("merchant_id", "account_id", "hash");

-- CreateIndex
CREATE INDEX "settlement_file_merchant_id_mode_taken_at_id_idx" ON "settlement_file"("merchant_id", "mode", "taken_at", "id");

-- CreateIndex
CREATE INDEX "intake_change_merchant_id_settlement_id_idx" ON "intake_change"("merchant_id", "settlement_id");

-- CreateIndex
CREATE INDEX "intake_change_merchant_id_account_id_changed_at_idx" ON "intake_change"("merchant_id", "account_id", "changed_at");

-- CreateIndex
CREATE INDEX "payment_fee_by_paid" ON "payment_fee"("merchant_id", "mode", "paid_at", "payment_id");

-- CreateIndex
CREATE INDEX "payment_fee_by_settled" ON "payment_fee"("merchant_id", "mode", "settled_on", "payment_id");

-- CreateIndex
CREATE INDEX "payment_fee_by_settlement" ON "payment_fee"("merchant_id", "settlement_id");

-- CreateIndex
CREATE UNIQUE INDEX "staff_user_email_key" ON "staff_user"("email");

-- CreateIndex
CREATE UNIQUE INDEX "staff_session_token_key" ON "staff_session"("token");

-- CreateIndex
CREATE INDEX "staff_session_user_id_idx" ON "staff_session"("user_id");

-- CreateIndex
CREATE INDEX "staff_credential_user_id_idx" ON "staff_credential"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "staff_credential_provider_id_account_id_key" ON "staff_credential"("provider_id", "account_id");

-- CreateIndex
CREATE INDEX "staff_verification_identifier_idx" ON "staff_verification"("identifier");

-- CreateIndex
CREATE INDEX "staff_two_factor_user_id_idx" ON "staff_two_factor"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "staff_link_token_hash_key" ON "staff_link"("token_hash");

-- CreateIndex
CREATE INDEX "staff_link_email_idx" ON "staff_link"("email");

-- CreateIndex
CREATE INDEX "staff_link_staff_id_idx" ON "staff_link"("staff_id");

-- CreateIndex
CREATE INDEX "staff_sign_in_limit_expire_idx" ON "staff_sign_in_limit"("expire");

-- CreateIndex
CREATE UNIQUE INDEX "custom_role_name_key" ON "custom_role"("name");

-- CreateIndex
CREATE INDEX "staff_grant_custom_role_id_idx" ON "staff_grant"("custom_role_id");

-- CreateIndex
CREATE INDEX "staff_grant_provider_id_idx" ON "staff_grant"("provider_id");

-- CreateIndex
CREATE UNIQUE INDEX "sso_provider_provider_id_key" ON "sso_provider"("provider_id");

-- CreateIndex
CREATE UNIQUE INDEX "sso_provider_name_key" ON "sso_provider"("name");

-- CreateIndex
CREATE INDEX "group_role_custom_role_id_idx" ON "group_role"("custom_role_id");

-- CreateIndex
CREATE UNIQUE INDEX "group_role_provider_id_position_key" ON "group_role"("provider_id", "position");

-- CreateIndex
CREATE INDEX "saved_view_page_shared_idx" ON "saved_view"("page", "shared");

-- CreateIndex
CREATE UNIQUE INDEX "saved_view_page_owner_id_name_key" ON "saved_view"("page", "owner_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "machine_token_public_id_key" ON "machine_token"("public_id");

-- CreateIndex
CREATE INDEX "machine_token_created_at_id_idx" ON "machine_token"("created_at", "id");

-- CreateIndex
CREATE INDEX "machine_token_staff_id_created_at_idx" ON "machine_token"("staff_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "scim_token_public_id_key" ON "scim_token"("public_id");

-- CreateIndex
CREATE INDEX "scim_token_provider_id_idx" ON "scim_token"("provider_id");

-- CreateIndex
CREATE UNIQUE INDEX "scim_user_provider_id_user_name_key_key" ON "scim_user"("provider_id", "user_name_key");

-- CreateIndex
CREATE UNIQUE INDEX "scim_user_provider_id_external_id_key" ON "scim_user"("provider_id", "external_id");

-- CreateIndex
CREATE UNIQUE INDEX "scim_group_provider_id_display_name_key_key" ON "scim_group"("provider_id", "display_name_key");

-- CreateIndex
CREATE UNIQUE INDEX "scim_group_provider_id_external_id_key" ON "scim_group"("provider_id", "external_id");

-- CreateIndex
CREATE INDEX "scim_group_member_user_id_idx" ON "scim_group_member"("user_id");

-- CreateIndex
CREATE INDEX "merchant_event_merchant_id_mode_created_at_id_idx" ON "merchant_event"("merchant_id", "mode", "created_at", "id");

-- CreateIndex
CREATE INDEX "webhook_endpoint_merchant_id_mode_created_at_idx" ON "webhook_endpoint"("merchant_id", "mode", "created_at");

-- CreateIndex
CREATE INDEX "webhook_delivery_merchant_id_endpoint_id_created_at_id_idx" ON "webhook_delivery"("merchant_id", "endpoint_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "webhook_delivery_merchant_id_payment_id_idx" ON "webhook_delivery"("merchant_id", "payment_id");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_delivery_merchant_id_endpoint_id_event_id_key" ON "webhook_delivery"("merchant_id", "endpoint_id", "event_id");

-- CreateIndex
CREATE INDEX "webhook_delivery_attempt_merchant_id_endpoint_id_started_at_idx" ON "webhook_delivery_attempt"("merchant_id", "endpoint_id", "started_at");

-- CreateIndex
CREATE INDEX "webhook_resend_merchant_id_endpoint_id_created_at_idx" ON "webhook_resend"("merchant_id", "endpoint_id", "created_at");

-- AddForeignKey
ALTER TABLE "dispute" ADD CONSTRAINT "dispute_merchant_id_payment_id_fkey" FOREIGN KEY ("merchant_id", "payment_id") REFERENCES "payment"("merchant_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "attempt" ADD CONSTRAINT "attempt_merchant_id_payment_id_fkey" FOREIGN KEY ("merchant_id", "payment_id") REFERENCES "payment"("merchant_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "timeline_event" ADD CONSTRAINT "timeline_event_merchant_id_payment_id_fkey" FOREIGN KEY ("merchant_id", "payment_id") REFERENCES "payment"("merchant_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "refund" ADD CONSTRAINT "refund_merchant_id_payment_id_fkey" FOREIGN KEY ("merchant_id", "payment_id") REFERENCES "payment"("merchant_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "staff_session" ADD CONSTRAINT "staff_session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "staff_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "staff_credential" ADD CONSTRAINT "staff_credential_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "staff_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "staff_two_factor" ADD CONSTRAINT "staff_two_factor_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "staff_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "staff_link" ADD CONSTRAINT "staff_link_staff_id_fkey" FOREIGN KEY ("staff_id") REFERENCES "staff_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "staff_grant" ADD CONSTRAINT "staff_grant_staff_id_fkey" FOREIGN KEY ("staff_id") REFERENCES "staff_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "staff_grant" ADD CONSTRAINT "staff_grant_custom_role_id_fkey" FOREIGN KEY ("custom_role_id") REFERENCES "custom_role"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "staff_grant" ADD CONSTRAINT "staff_grant_provider_id_fkey" FOREIGN KEY ("provider_id") REFERENCES "sso_provider"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_role" ADD CONSTRAINT "group_role_provider_id_fkey" FOREIGN KEY ("provider_id") REFERENCES "sso_provider"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_role" ADD CONSTRAINT "group_role_custom_role_id_fkey" FOREIGN KEY ("custom_role_id") REFERENCES "custom_role"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "setup_dismissal" ADD CONSTRAINT "setup_dismissal_staff_id_fkey" FOREIGN KEY ("staff_id") REFERENCES "staff_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "saved_view" ADD CONSTRAINT "saved_view_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "staff_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scim_token" ADD CONSTRAINT "scim_token_provider_id_fkey" FOREIGN KEY ("provider_id") REFERENCES "sso_provider"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scim_user" ADD CONSTRAINT "scim_user_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "staff_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scim_user" ADD CONSTRAINT "scim_user_provider_id_fkey" FOREIGN KEY ("provider_id") REFERENCES "sso_provider"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scim_group" ADD CONSTRAINT "scim_group_provider_id_fkey" FOREIGN KEY ("provider_id") REFERENCES "sso_provider"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scim_group_member" ADD CONSTRAINT "scim_group_member_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "scim_group"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scim_group_member" ADD CONSTRAINT "scim_group_member_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "scim_user"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;


-- What Prisma cannot write.

-- Orders are searched by their beginning: byte order lets the unique index answer that, in any locale.
ALTER TABLE "payment" ALTER COLUMN "merchant_order_id" TYPE TEXT COLLATE "C";
-- Lists that may be empty and are never null.
ALTER TABLE "api_key" ALTER COLUMN "scopes" SET NOT NULL, ALTER COLUMN "allowed_addresses" SET NOT NULL;
ALTER TABLE "rule_set_version" ALTER COLUMN "editors" SET NOT NULL;
ALTER TABLE "retention_progress" ALTER COLUMN "held" SET NOT NULL;
ALTER TABLE "custom_role" ALTER COLUMN "permissions" SET NOT NULL, ALTER COLUMN "test_permissions" SET NOT NULL;
-- A grant is of one role.
ALTER TABLE "staff_grant" ADD CONSTRAINT "staff_grant_one_role" CHECK (num_nonnulls("role", "custom_role_id") = 1);
ALTER TABLE "group_role" ADD CONSTRAINT "group_role_one_role" CHECK (num_nonnulls("role", "custom_role_id") = 1);
ALTER TABLE "staff_grant" ADD CONSTRAINT "staff_grant_of_group" CHECK (num_nonnulls("group_name", "provider_id") IN (0, 2));
-- What is compressed already.
ALTER TABLE "payment" ALTER COLUMN "packed_decision" SET STORAGE EXTERNAL, ALTER COLUMN "packed_session" SET STORAGE EXTERNAL;
ALTER TABLE "attempt" ALTER COLUMN "packed_call" SET STORAGE EXTERNAL;
ALTER TABLE "gateway_webhook" ALTER COLUMN "packed_body" SET STORAGE EXTERNAL;
ALTER TABLE "merchant_event" ALTER COLUMN "packed_body" SET STORAGE EXTERNAL;
ALTER TABLE "report_file" ALTER COLUMN "content" SET STORAGE EXTERNAL;

-- Rows that are changed soon after they are written: the free room keeps those changes on the same page.
ALTER TABLE "payment" SET (fillfactor = 75);
ALTER TABLE "attempt" SET (fillfactor = 85);
ALTER TABLE "webhook_delivery" SET (fillfactor = 85);
ALTER TABLE "idempotency_record" SET (fillfactor = 80);
-- Rows that go soon, some after a claim has changed them in their place.
ALTER TABLE "payment_check" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
ALTER TABLE "webhook_follow_up" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
ALTER TABLE "due_delivery" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);

ALTER TABLE "payment"
  ADD CONSTRAINT "payment_amount_positive" CHECK ("amount" > 0 AND "amount" <= 1000000000000),
  ADD CONSTRAINT "payment_refunded_within_amount" CHECK ("refunded_amount" >= 0 AND "refunded_amount" <= "amount"),
  ADD CONSTRAINT "payment_reversed_not_negative" CHECK ("reversed_amount" >= 0),
  ADD CONSTRAINT "payment_version_positive" CHECK ("version" > 0),
  ADD CONSTRAINT "payment_account_of_attempt" CHECK (("account_id" IS NULL) = (COALESCE("paid_attempt_id", "current_attempt_id") IS NULL)
    AND ("account_id" IS NULL) = ("account_gateway" IS NULL));
ALTER TABLE "refund"
  ADD CONSTRAINT "refund_amount_positive" CHECK ("amount" > 0),
  ADD CONSTRAINT "refund_not_of_two_kinds" CHECK (NOT ("duplicate" AND "mismatched"));
-- A gateway may name no amount of a payment that is not in the ledger.
ALTER TABLE "dispute"
  ADD CONSTRAINT "dispute_amount_positive" CHECK ("amount" > 0 OR ("amount" = 0 AND "payment_id" IS NULL)),
  ADD CONSTRAINT "dispute_taken_back" CHECK ("taken_back" >= 0 AND "taken_back" <= "amount");
-- Numbers in a gateway's form are JSON numbers.
ALTER TABLE "compat_number" ADD CONSTRAINT "compat_number_is_safe" CHECK ("number" BETWEEN 1 AND 9007199254740991);
ALTER TABLE "gateway_account" ADD CONSTRAINT "gateway_account_live_base_url" CHECK ("mode" = 'test' OR "base_url" IS NULL);
ALTER TABLE "reconciliation_discrepancy"
  ADD CONSTRAINT "reconciliation_discrepancy_has_a_side" CHECK ("ledger" IS NOT NULL OR "statement" IS NOT NULL),
  ADD CONSTRAINT "reconciliation_discrepancy_resolved" CHECK (("state" = 'OPEN') = ("resolved_at" IS NULL));
ALTER TABLE "incident"
  ADD CONSTRAINT "incident_closed" CHECK (("closed_at" IS NULL) = ("closed_reason" IS NULL)),
  ADD CONSTRAINT "incident_acknowledged" CHECK (("acknowledged_at" IS NULL) = ("acknowledged_by" IS NULL));
ALTER TABLE "notification"
  ADD CONSTRAINT "notification_test_has_no_incident" CHECK (("incident_id" IS NULL) = ("event" = 'test')),
  ADD CONSTRAINT "notification_pending_is_due" CHECK (("state" = 'PENDING') = ("next_attempt_at" IS NOT NULL));
ALTER TABLE "notification_channel"
  ADD CONSTRAINT "notification_channel_escalates" CHECK (("escalate_after_minutes" IS NULL) = ("escalate_to_id" IS NULL)),
  ADD CONSTRAINT "notification_channel_groups" CHECK ("group_seconds" BETWEEN 0 AND 600);
ALTER TABLE "staff_user" ADD CONSTRAINT "staff_user_tables_size" CHECK (octet_length("tables"::text) <= 65536);

-- At most one, whatever the program does.
CREATE UNIQUE INDEX "rule_set_in_force" ON "rule_set_version" ("merchant_id", "mode") WHERE "state" = 'PUBLISHED';
CREATE UNIQUE INDEX "rule_canary_open" ON "rule_canary" ("merchant_id", "mode") WHERE "ended_at" IS NULL;
CREATE UNIQUE INDEX "shadow_run_of_draft" ON "shadow_run" ("merchant_id", "draft_id") WHERE "ended_at" IS NULL;
CREATE UNIQUE INDEX "dispute_response_once" ON "dispute_response" ("merchant_id", "dispute_id", "stage") WHERE "state" <> 'REFUSED';
CREATE UNIQUE INDEX "incident_open" ON "incident" ("merchant_id", "mode", "kind", "subject") WHERE "closed_at" IS NULL;

-- What lists are mostly narrowed by is carried along, so that what does not match is passed over without reading the row.
CREATE INDEX "payment_by_creation" ON "payment" ("merchant_id", "mode", "created_at", "id")
  INCLUDE ("unusual_status", "recommended_gateway", "payment_method", "amount", "rule_id");
-- Lists of all merchants' payments are read by time alone.
CREATE INDEX "payment_of_all_by_creation" ON "payment" ("mode", "created_at", "id")
  INCLUDE ("merchant_id", "unusual_status", "recommended_gateway", "payment_method", "amount", "rule_id");
-- Each leads to few payments of many, in the order of lists. What matches many is read from the list's own order.
CREATE INDEX "payment_by_unusual_status" ON "payment" ("merchant_id", "mode", "unusual_status", "created_at", "id")
  WHERE "unusual_status" IS NOT NULL;
CREATE INDEX "payment_review_open" ON "payment" ("merchant_id", "mode", "created_at") WHERE "review" = 'OPEN';
CREATE INDEX "payment_by_email" ON "payment" ("merchant_id", "mode", lower("customer_email"), "created_at", "id");
CREATE INDEX "payment_by_customer" ON "payment" ("merchant_id", "mode", "customer_id", "created_at", "id")
  WHERE "customer_id" IS NOT NULL;
CREATE INDEX "payment_by_phone_end" ON "payment"
  ("merchant_id", "mode", reverse(right(regexp_replace("customer_phone", '\D', '', 'g'), 7)) COLLATE "C", "created_at", "id")
  WHERE "customer_phone" IS NOT NULL;
CREATE INDEX "payment_by_failure" ON "payment" ("merchant_id", "mode", "failure_reason", "created_at", "id")
  WHERE "failure_reason" IS NOT NULL;
CREATE INDEX "payment_by_reversal" ON "payment" ("merchant_id", "mode", "created_at", "id") WHERE "reversed_at" IS NOT NULL;
CREATE INDEX "payment_by_refund" ON "payment" ("merchant_id", "mode", "created_at", "id") WHERE "refunded_amount" > 0;

CREATE INDEX "attempt_failed" ON "attempt" ("account_id", "created_at" DESC) WHERE "failure_class" IS NOT NULL;
CREATE INDEX "timeline_event_by_gateway_transaction" ON "timeline_event" (("detail" ->> 'transactionId'))
  WHERE "detail" ->> 'transactionId' IS NOT NULL;
CREATE INDEX "duplicate_charge_open" ON "duplicate_charge" ("merchant_id", "mode", "created_at") WHERE "state" IN ('OPEN', 'REFUNDING');

CREATE INDEX "refund_due" ON "refund" ("next_check_at") WHERE "next_check_at" IS NOT NULL;
CREATE INDEX "refund_needs_attention" ON "refund" ("merchant_id", "mode", "created_at") WHERE "state" = 'NEEDS_ATTENTION';
CREATE INDEX "refund_unresolved" ON "refund" ("merchant_id", "mode", "created_at", "id")
  WHERE "state" = 'FAILED' AND NOT "duplicate" AND NOT "mismatched" AND "resolved_at" IS NULL;
CREATE INDEX "dispute_open" ON "dispute" ("merchant_id", "mode", "due_at") WHERE "state" IN ('NEEDS_RESPONSE', 'UNDER_REVIEW');

-- Never taken for one of those by reference or by the key that finds repetitions. Counts need no row.
CREATE INDEX "gateway_webhook_by_account_and_state" ON "gateway_webhook" ("account_id", "state", "received_at", "id")
  INCLUDE ("merchant_id");
CREATE INDEX "gateway_webhook_by_named_payment" ON "gateway_webhook"
  ((CASE WHEN "reference" ~ '^sy[0-9a-f]{32}[0-9]{2}$' THEN substr("reference", 3, 32)::uuid END))
  WHERE CASE WHEN "reference" ~ '^sy[0-9a-f]{32}[0-9]{2}$' THEN substr("reference", 3, 32)::uuid END IS NOT NULL;

-- Without the state: what an index has of a delivery does not change when it is made.
CREATE INDEX "webhook_delivery_of_resend" ON "webhook_delivery" ("merchant_id", "resend_id") WHERE "resend_id" IS NOT NULL;
CREATE INDEX "webhook_delivery_by_settled_attempts" ON "webhook_delivery"
  ("merchant_id", "endpoint_id", "settled_attempts", "created_at", "id") WHERE "settled_attempts" IS NOT NULL;
CREATE INDEX "webhook_resend_unfinished" ON "webhook_resend" ("updated_at") WHERE "finished_at" IS NULL;

CREATE INDEX "rule_set_due" ON "rule_set_version" ("publish_at") WHERE "state" = 'SCHEDULED';
CREATE INDEX "shadow_decision_that_moves" ON "shadow_decision" ("merchant_id", "run_id", "created_at", "payment_id")
  WHERE "result" = 'MOVED';
CREATE INDEX "reconciliation_discrepancy_open" ON "reconciliation_discrepancy" ("merchant_id", "mode", "day", "id") WHERE "state" = 'OPEN';
CREATE INDEX "api_request_refused" ON "api_request" ("merchant_id", "mode", "id") WHERE "status" >= 400;
CREATE INDEX "notification_pending" ON "notification" ("channel_id", "next_attempt_at") WHERE "state" = 'PENDING';
-- The last message of each channel.
CREATE INDEX "notification_by_channel" ON "notification" ("channel_id", "updated_at" DESC) WHERE "state" IN ('SENT', 'FAILED');


-- prisma/functions/enums.sql

-- Prisma reads enum columns as text, also in the RETURNING clause of what it writes. Citus takes only immutable functions there, and the
-- conversion that PostgreSQL has by itself counts as changeable, because a label can be renamed. Labels are never renamed here.
CREATE OR REPLACE FUNCTION enum_label(value ANYENUM) RETURNS TEXT LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN value;
END $$;

DO $$
DECLARE
  enum REGTYPE;
BEGIN
  FOR enum IN
    SELECT type.oid FROM pg_type AS type JOIN pg_namespace ON pg_namespace.oid = typnamespace
    WHERE typtype = 'e' AND nspname = current_schema()
      AND NOT EXISTS (SELECT FROM pg_cast WHERE castsource = type.oid AND casttarget = 'text'::regtype)
  LOOP
    EXECUTE format('CREATE CAST (%s AS TEXT) WITH FUNCTION enum_label(ANYENUM)', enum);
  END LOOP;
END $$;


-- prisma/functions/database.sql

-- True where rows of all merchants may be in one statement. `switchyard-admin database distribute` replaces it.
CREATE OR REPLACE FUNCTION rows_share_a_node() RETURNS BOOLEAN LANGUAGE sql IMMUTABLE AS 'SELECT true';

-- What a copy of the rows does not share with the database that they were copied from: the server's system identifier, its timeline (a restore
-- to a moment and a promotion begin another), and the numbers of the database and of a table (a dump is read into others). No part needs
-- more than the right to connect; one that a managed server does not tell is left out.
CREATE OR REPLACE FUNCTION database_identity() RETURNS TEXT LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  identifier TEXT := '-';
  timeline TEXT := '-';
BEGIN
  BEGIN
    SELECT system_identifier::text INTO identifier FROM pg_control_system();
  EXCEPTION WHEN feature_not_supported OR insufficient_privilege OR undefined_function THEN NULL;
  END;
  BEGIN
    timeline := left(pg_walfile_name(pg_current_wal_lsn()), 8);
  EXCEPTION WHEN feature_not_supported OR insufficient_privilege OR undefined_function OR object_not_in_prerequisite_state THEN
    BEGIN
      SELECT lpad(to_hex(timeline_id), 8, '0') INTO timeline FROM pg_control_checkpoint();
    EXCEPTION WHEN feature_not_supported OR insufficient_privilege OR undefined_function THEN NULL;
    END;
  END;
  RETURN concat_ws('.', identifier, timeline, (SELECT oid FROM pg_database WHERE datname = current_database()),
    to_regclass('database_epoch')::oid);
END $$;


-- prisma/functions/payments.sql

-- The ids of those that were reserved: any conflict counts. The first event of a payment says what the payment's own row does. It is stored where
-- it names the trace that began it: no id is given for one that is not to be stored.
CREATE OR REPLACE FUNCTION reserve_payments(merchant UUID, payments JSON, firsts JSON) RETURNS SETOF UUID LANGUAGE plpgsql AS $$
DECLARE
  one UUID;
  reserved UUID[] := '{}';
BEGIN
  FOR one IN
    INSERT INTO payment (merchant_id, id, mode, merchant_order_id, status, amount, currency, customer_email, customer_id,
      customer_phone, customer_country, payment_method, metadata, redirect_url, requested_gateway, routing_mode,
      smart_routing_bypassed, rule_set_version, rule_id, packed_decision, recommended_gateway, packed_session, expires_at, version,
      status_event_id, status_changed_at, created_at, updated_at)
    SELECT merchant_id, id, mode, merchant_order_id, 'INITIATED', amount, currency, customer_email, customer_id,
      customer_phone, customer_country, payment_method, metadata, redirect_url, requested_gateway, routing_mode,
      smart_routing_bypassed, rule_set_version, rule_id, decode(packed_decision, 'base64'), recommended_gateway,
      decode(packed_session, 'base64'), expires_at, 1, event_id, created_at, created_at, created_at
    FROM json_to_recordset(payments) AS input (merchant_id uuid, id uuid, mode mode, merchant_order_id text, amount int8,
      currency char(3), customer_email text, customer_id text, customer_phone text, customer_country char(2), payment_method text,
      metadata json, redirect_url text, requested_gateway text, routing_mode text, smart_routing_bypassed boolean,
      rule_set_version int, rule_id text, packed_decision text, recommended_gateway text, packed_session text, expires_at timestamptz, event_id uuid, created_at timestamptz)
    ON CONFLICT DO NOTHING RETURNING id
  LOOP
    reserved := reserved || one;
    RETURN NEXT one;
  END LOOP;
  INSERT INTO payment_check (merchant_id, payment_id, next_check_at, initiating)
  SELECT merchant_id, payment_id, now() + abandoned_after_ms * interval '1 millisecond', true
  FROM json_to_recordset(firsts) AS input (merchant_id uuid, payment_id uuid, abandoned_after_ms float8)
  WHERE array_position(reserved, payment_id) IS NOT NULL;
  INSERT INTO timeline_event (merchant_id, id, payment_id, type, to_status, cause, detail, created_at)
  SELECT merchant_id, event_id, payment_id, 'payment.initiated', 'INITIATED', 'api', detail, created_at
  FROM json_to_recordset(firsts) AS input (merchant_id uuid, payment_id uuid, event_id uuid, detail json, created_at timestamptz)
  WHERE event_id IS NOT NULL AND array_position(reserved, payment_id) IS NOT NULL;
  INSERT INTO attempt (merchant_id, id, payment_id, position, account_id, gateway, reference, state, created_at, updated_at)
  SELECT merchant_id, attempt_id, payment_id, position, account_id, gateway, reference, 'STARTED', created_at, created_at
  FROM json_to_recordset(firsts) AS input (merchant_id uuid, payment_id uuid, attempt_id uuid, position int, account_id uuid,
    gateway text, reference text, created_at timestamptz)
  WHERE array_position(reserved, payment_id) IS NOT NULL AND attempt_id IS NOT NULL;
END $$;

-- False when another process has closed the attempt.
CREATE OR REPLACE FUNCTION record_fallback(merchant UUID, fallback JSON) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
DECLARE
  input RECORD;
  payment UUID;
BEGIN
  SELECT * INTO input FROM json_to_record(fallback) AS input (attempt_id uuid, state attempt_state, failure_class text, failure_code text,
    failure_message text, latency_ms int, packed_call text, at timestamptz, next_id uuid, position int, account_id uuid, gateway text,
    reference text);
  UPDATE attempt SET state = input.state, failure_class = input.failure_class, failure_code = input.failure_code,
    failure_message = input.failure_message, latency_ms = input.latency_ms, packed_call = decode(input.packed_call, 'base64'),
    updated_at = input.at
  WHERE merchant_id = merchant AND id = input.attempt_id AND attempt.state = 'STARTED' RETURNING payment_id INTO payment;
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO attempt (merchant_id, id, payment_id, position, account_id, gateway, reference, state, created_at, updated_at)
  VALUES (merchant, input.next_id, payment, input.position, input.account_id, input.gateway, input.reference, 'STARTED', input.at,
    input.at);
  RETURN true;
END $$;

-- The check of a payment that opens is there: an update of it locks the row once, and an upsert twice.
CREATE OR REPLACE FUNCTION settle_opened_initiations(merchant UUID, payments JSON, attempts JSON) RETURNS SETOF UUID LANGUAGE plpgsql AS $$
DECLARE
  one UUID;
  settled UUID[] := '{}';
  scheduled INTEGER;
BEGIN
  FOR one IN
    UPDATE payment SET status = 'PENDING', recommended_gateway = input.gateway,
      packed_session = decode(input.packed_session, 'base64'),
      packed_decision = coalesce(decode(input.packed_decision, 'base64'), payment.packed_decision),
      gateway_reference = input.gateway_reference,
      current_attempt_id = input.attempt_id, account_id = input.account_id, account_gateway = input.gateway,
      status_event_id = input.event_id, status_changed_at = input.at, updated_at = input.at, version = version + 1
    FROM json_to_recordset(payments) AS input (merchant_id uuid, payment_id uuid, account_id uuid, gateway text,
      packed_session text, packed_decision text, gateway_reference text, event_id uuid, at timestamptz, attempt_id uuid)
    WHERE payment.merchant_id = input.merchant_id AND payment.id = input.payment_id AND payment.status = 'INITIATED'
      AND (merchant IS NULL OR payment.merchant_id = merchant)
    RETURNING payment.id
  LOOP
    settled := settled || one;
    RETURN NEXT one;
  END LOOP;
  UPDATE payment_check SET next_check_at = input.next_check_at, initiating = false
  FROM json_to_recordset(attempts) AS input (merchant_id uuid, payment_id uuid, next_check_at timestamptz)
  WHERE payment_check.merchant_id = input.merchant_id AND payment_check.payment_id = input.payment_id
    AND array_position(settled, input.payment_id) IS NOT NULL AND (merchant IS NULL OR payment_check.merchant_id = merchant);
  GET DIAGNOSTICS scheduled = ROW_COUNT;
  IF scheduled < cardinality(settled) THEN
    INSERT INTO payment_check (merchant_id, payment_id, next_check_at, initiating)
    SELECT merchant_id, payment_id, next_check_at, false
    FROM json_to_recordset(attempts) AS input (merchant_id uuid, payment_id uuid, next_check_at timestamptz)
    WHERE array_position(settled, payment_id) IS NOT NULL
    ON CONFLICT (merchant_id, payment_id) DO UPDATE SET next_check_at = excluded.next_check_at, initiating = false;
  END IF;
  INSERT INTO timeline_event (merchant_id, id, payment_id, type, from_status, to_status, cause, detail, created_at)
  SELECT merchant_id, event_id, payment_id, 'payment.pending', 'INITIATED', 'PENDING', cause, detail, at
  FROM json_to_recordset(attempts) AS input (merchant_id uuid, payment_id uuid, event_id uuid, cause text, detail json, at timestamptz)
  WHERE event_id IS NOT NULL AND array_position(settled, payment_id) IS NOT NULL;
  UPDATE attempt SET state = 'OPENED', latency_ms = input.latency_ms, packed_call = decode(input.packed_call, 'base64'),
    opened_at = CASE WHEN input.event_id IS NULL THEN input.at END, updated_at = input.at
  FROM json_to_recordset(attempts) AS input (merchant_id uuid, payment_id uuid, attempt_id uuid, latency_ms int,
    packed_call text, event_id uuid, at timestamptz)
  WHERE attempt.merchant_id = input.merchant_id AND attempt.id = input.attempt_id AND array_position(settled, input.payment_id) IS NOT NULL
    AND (merchant IS NULL OR attempt.merchant_id = merchant);
END $$;

-- No row when another process has settled the initiation; else one, and one for each endpoint that its event goes to.
CREATE OR REPLACE FUNCTION settle_failed_initiation(merchant UUID, initiation JSON, events JSON) RETURNS TABLE (about UUID, endpoint UUID)
LANGUAGE plpgsql AS $$
DECLARE
  input RECORD;
BEGIN
  SELECT * INTO input FROM json_to_record(initiation) AS input (payment_id uuid, failure_reason text, packed_decision text,
    packed_session text, at timestamptz, event_id uuid, cause text, detail json, next_check_at timestamptz, attempt_id uuid, state attempt_state, failure_class text,
    failure_code text, failure_message text, latency_ms int, packed_call text);
  UPDATE payment SET status = 'FAILED', failure_reason = input.failure_reason, packed_session = decode(input.packed_session, 'base64'),
    packed_decision = coalesce(decode(input.packed_decision, 'base64'), payment.packed_decision),
    status_event_id = input.event_id, status_changed_at = input.at, updated_at = input.at, version = version + 1
  WHERE merchant_id = merchant AND id = input.payment_id AND status = 'INITIATED';
  IF NOT FOUND THEN RETURN; END IF;
  IF input.next_check_at IS NULL THEN
    DELETE FROM payment_check WHERE merchant_id = merchant AND payment_id = input.payment_id;
  ELSE
    INSERT INTO payment_check (merchant_id, payment_id, next_check_at, initiating)
    VALUES (merchant, input.payment_id, input.next_check_at, false)
    ON CONFLICT (merchant_id, payment_id) DO UPDATE SET next_check_at = excluded.next_check_at, initiating = false;
  END IF;
  IF input.attempt_id IS NOT NULL THEN
    UPDATE attempt SET state = input.state, failure_class = input.failure_class, failure_code = input.failure_code,
      failure_message = input.failure_message, latency_ms = input.latency_ms,
      packed_call = decode(input.packed_call, 'base64'), updated_at = input.at
    WHERE merchant_id = merchant AND id = input.attempt_id;
  END IF;
  INSERT INTO timeline_event (merchant_id, id, payment_id, type, from_status, to_status, cause, detail, created_at)
  VALUES (merchant, input.event_id, input.payment_id, 'payment.failed', 'INITIATED', 'FAILED', input.cause, input.detail, input.at);
  about := input.payment_id;
  RETURN NEXT;
  RETURN QUERY SELECT * FROM announce_events(merchant, events);
END $$;

-- A row for each payment that was changed, and one for each endpoint that its events go to. The rows of one payment are written together or
-- not at all. Null for kinds of rows of which there are none.
CREATE OR REPLACE FUNCTION change_payments(merchant UUID, changes JSON, ended JSON, scheduled JSON, attempts JSON, payers JSON, timeline JSON,
  events JSON)
RETURNS TABLE (about UUID, endpoint UUID) LANGUAGE plpgsql AS $$
DECLARE
  changed UUID[] := '{}';
BEGIN
  FOR about IN
    UPDATE payment SET version = payment.version + 1, updated_at = input.at,
      status = coalesce(input.status, payment.status),
      failure_reason = CASE WHEN input.status IS NULL THEN payment.failure_reason ELSE input.failure_reason END,
      status_event_id = coalesce(input.status_event_id, payment.status_event_id),
      status_changed_at = CASE WHEN input.status_event_id IS NULL THEN payment.status_changed_at ELSE input.at END,
      late = coalesce(input.late, payment.late),
      gateway_reference = coalesce(input.gateway_reference, payment.gateway_reference),
      paid_attempt_id = coalesce(input.paid_attempt_id, payment.paid_attempt_id),
      refunded_amount = coalesce(input.refunded_amount, payment.refunded_amount),
      reversed_amount = CASE WHEN input.reversal THEN input.reversed_amount ELSE payment.reversed_amount END,
      reversed_at = CASE WHEN input.reversal THEN input.reversed_at ELSE payment.reversed_at END,
      reversal_cause = CASE WHEN input.reversal THEN input.reversal_cause ELSE payment.reversal_cause END,
      review = coalesce(input.review, payment.review),
      review_reason = coalesce(input.review_reason, payment.review_reason),
      received_amount = CASE WHEN input.received THEN input.received_amount ELSE payment.received_amount END,
      received_currency = CASE WHEN input.received THEN input.received_currency ELSE payment.received_currency END,
      fee_amount = CASE WHEN input.received THEN input.fee_amount ELSE payment.fee_amount END,
      paid_method = CASE WHEN input.received THEN input.paid_method ELSE payment.paid_method END,
      paid_at = CASE WHEN input.received THEN input.paid_at ELSE payment.paid_at END
    FROM json_to_recordset(changes) AS input (merchant_id uuid, payment_id uuid, version int, at timestamptz, status payment_status,
      failure_reason text, late boolean, gateway_reference text, paid_attempt_id uuid, refunded_amount int8, reversal boolean,
      reversed_amount numeric, reversed_at timestamptz, reversal_cause text, review review_state, review_reason text,
      status_event_id uuid, received boolean, received_amount numeric, received_currency char(3), fee_amount numeric, paid_method text,
      paid_at timestamptz)
    WHERE payment.merchant_id = input.merchant_id AND payment.id = input.payment_id AND payment.version = input.version
      AND (merchant IS NULL OR payment.merchant_id = merchant)
    RETURNING payment.id
  LOOP
    changed := changed || about;
    RETURN NEXT;
  END LOOP;
  IF changed = '{}' THEN RETURN; END IF;
  IF ended IS NOT NULL THEN
    DELETE FROM payment_check USING json_to_recordset(ended) AS input (merchant_id uuid, payment_id uuid)
    WHERE payment_check.merchant_id = input.merchant_id AND payment_check.payment_id = input.payment_id
      AND array_position(changed, input.payment_id) IS NOT NULL AND (merchant IS NULL OR payment_check.merchant_id = merchant);
  END IF;
  IF scheduled IS NOT NULL THEN
    INSERT INTO payment_check (merchant_id, payment_id, next_check_at, initiating)
    SELECT merchant_id, payment_id, next_check_at, false
    FROM json_to_recordset(scheduled) AS input (merchant_id uuid, payment_id uuid, next_check_at timestamptz)
    WHERE array_position(changed, payment_id) IS NOT NULL
    ON CONFLICT (merchant_id, payment_id) DO UPDATE SET next_check_at = excluded.next_check_at, initiating = false;
  END IF;
  IF attempts IS NOT NULL THEN
    UPDATE attempt SET last_asked_at = input.asked_at, updated_at = input.at,
      state = coalesce(input.state, attempt.state),
      duplicate = coalesce(input.duplicate, attempt.duplicate),
      received_amount = CASE WHEN input.received THEN input.received_amount ELSE attempt.received_amount END,
      received_currency = CASE WHEN input.received THEN input.received_currency ELSE attempt.received_currency END,
      transaction_id = CASE WHEN input.received THEN input.transaction_id ELSE attempt.transaction_id END
    FROM json_to_recordset(attempts) AS input (merchant_id uuid, payment_id uuid, attempt_id uuid, at timestamptz, asked_at timestamptz,
      state attempt_state, duplicate boolean, received boolean, received_amount numeric, received_currency char(3), transaction_id text)
    WHERE attempt.merchant_id = input.merchant_id AND attempt.id = input.attempt_id
      AND array_position(changed, input.payment_id) IS NOT NULL AND (merchant IS NULL OR attempt.merchant_id = merchant);
  END IF;
  IF payers IS NOT NULL THEN
    INSERT INTO payer (merchant_id, attempt_id, sealed, created_at)
    SELECT merchant_id, attempt_id, sealed, at
    FROM json_to_recordset(payers) AS input (merchant_id uuid, payment_id uuid, attempt_id uuid, sealed text, at timestamptz)
    WHERE array_position(changed, payment_id) IS NOT NULL
    ON CONFLICT (merchant_id, attempt_id) DO UPDATE SET sealed = excluded.sealed, created_at = excluded.created_at;
  END IF;
  IF timeline IS NOT NULL THEN
    INSERT INTO timeline_event (merchant_id, id, payment_id, type, from_status, to_status, cause, actor, detail, created_at)
    SELECT merchant_id, id, payment_id, type, from_status, to_status, cause, actor, detail, at
    FROM json_to_recordset(timeline) AS input (merchant_id uuid, id uuid, payment_id uuid, type text, from_status payment_status,
      to_status payment_status, cause text, actor text, detail json, at timestamptz)
    WHERE array_position(changed, payment_id) IS NOT NULL;
  END IF;
  IF events IS NOT NULL THEN RETURN QUERY SELECT * FROM announce_events(merchant, events, changed); END IF;
END $$;

-- The account that was paid, else the one whose checkout the customer was given, stands on the payment itself. Whoever names the attempt
-- has named the account; a statement that names the account itself needs no look at the attempt.
CREATE OR REPLACE FUNCTION set_payment_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT a.account_id, a.gateway INTO NEW.account_id, NEW.account_gateway FROM attempt AS a
    WHERE a.merchant_id = NEW.merchant_id AND a.id = COALESCE(NEW.paid_attempt_id, NEW.current_attempt_id);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER payment_set_account BEFORE UPDATE OF "current_attempt_id", "paid_attempt_id" ON "payment" FOR EACH ROW
  WHEN (ROW(OLD.current_attempt_id, OLD.paid_attempt_id) IS DISTINCT FROM ROW(NEW.current_attempt_id, NEW.paid_attempt_id)
    AND NEW.account_id IS NOT DISTINCT FROM OLD.account_id)
  EXECUTE FUNCTION "set_payment_account"();

CREATE OR REPLACE FUNCTION set_unusual_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.unusual_status := CASE WHEN NEW.status IN ('FAILED', 'REFUNDED') THEN NEW.status END;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER payment_unusual_status BEFORE INSERT OR UPDATE OF "status" ON "payment" FOR EACH ROW
  WHEN (NEW."unusual_status" IS DISTINCT FROM CASE WHEN NEW."status" IN ('FAILED', 'REFUNDED') THEN NEW."status" END)
  EXECUTE FUNCTION "set_unusual_status"();


-- prisma/functions/gateway-webhooks.sql

-- The ids of those that were not known.
CREATE OR REPLACE FUNCTION store_gateway_webhooks(merchant UUID, webhooks JSON, subjects JSON) RETURNS SETOF UUID LANGUAGE plpgsql AS $$
DECLARE
  one UUID;
  stored UUID[] := '{}';
  erased UUID[] := ARRAY(
    SELECT input.id FROM json_to_recordset(subjects) AS input (merchant_id uuid, id uuid, reference text)
    JOIN payment ON payment.merchant_id = input.merchant_id
      AND payment.id = CASE WHEN input.reference ~ '^sy[0-9a-f]{32}[0-9]{2}$' THEN substr(input.reference, 3, 32)::uuid END
    WHERE payment.customer_erased_at IS NOT NULL AND (merchant IS NULL OR payment.merchant_id = merchant));
BEGIN
  FOR one IN
    INSERT INTO gateway_webhook AS known (merchant_id, id, account_id, gateway, dedupe_key, event, reference, transaction_id, packed_body, state, received_at)
    SELECT merchant_id, id, account_id, gateway, dedupe_key, event, reference, transaction_id,
      CASE WHEN array_position(erased, id) IS NULL THEN decode(packed_body, 'base64') END, state, received_at
    FROM json_to_recordset(webhooks) AS input (merchant_id uuid, id uuid, account_id uuid, gateway text, dedupe_key text, event text,
      reference text, transaction_id text, packed_body text, state gateway_webhook_state, received_at timestamptz)
    ON CONFLICT (merchant_id, account_id, dedupe_key) DO UPDATE SET deliveries = known.deliveries + 1
    RETURNING id
  LOOP
    stored := stored || one;
    RETURN NEXT one;
  END LOOP;
  INSERT INTO webhook_follow_up (merchant_id, webhook_id, due_at, about)
  SELECT merchant_id, id, received_at, follow_up
  FROM json_to_recordset(webhooks) AS input (merchant_id uuid, id uuid, received_at timestamptz, follow_up json)
  WHERE follow_up IS NOT NULL AND array_position(stored, id) IS NOT NULL;
END $$;


-- prisma/functions/webhooks.sql

-- Writes events of merchants, those about `of_payments` unless that is null, and a delivery of each to the endpoints that subscribe to
-- it; returns those endpoints. A delivery's id is a UUIDv7 that follows the order of the events: the first half of the event's delivery_id,
-- which holds the time and the counter, and the random end of the endpoint's id, in which the deliveries of one event differ.
CREATE OR REPLACE FUNCTION announce_events(merchant UUID, events JSON, of_payments UUID[] DEFAULT NULL)
RETURNS TABLE (about UUID, endpoint UUID) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO merchant_event (merchant_id, id, mode, payment_id, position, type, packed_body, created_at)
  SELECT merchant_id, id, mode, payment_id, position, type, decode(packed_body, 'base64'), at
  FROM json_to_recordset(events) AS event (merchant_id uuid, id uuid, mode mode, payment_id uuid, position int, type text,
    packed_body text, at timestamptz)
  WHERE of_payments IS NULL OR array_position(of_payments, payment_id) IS NOT NULL;
  RETURN QUERY
    INSERT INTO webhook_delivery (merchant_id, id, endpoint_id, event_id, payment_id, position, type, state, attempts, next_attempt_at,
      due_at, created_at, updated_at)
    SELECT event.merchant_id, (left(event.delivery_id::text, 24) || right(webhook_endpoint.id::text, 12))::uuid, webhook_endpoint.id,
      event.id, event.payment_id, event.position, event.type, 'PENDING', 0, event.at, event.at, event.at, event.at
    FROM json_to_recordset(events) AS event (merchant_id uuid, id uuid, mode mode, payment_id uuid, position int, type text, at timestamptz,
      delivery_id uuid)
    JOIN webhook_endpoint ON webhook_endpoint.merchant_id = event.merchant_id AND webhook_endpoint.mode = event.mode
      AND webhook_endpoint.enabled AND (webhook_endpoint.types = '{}' OR event.type = ANY (webhook_endpoint.types))
    WHERE (of_payments IS NULL OR array_position(of_payments, event.payment_id) IS NOT NULL)
      AND (merchant IS NULL OR webhook_endpoint.merchant_id = merchant)
    RETURNING payment_id, endpoint_id;
END $$;

-- Records the results of attempts to deliver, in their order. Gives for each since when every attempt at its endpoint has failed, null where this
-- one succeeded, and true where another event of its payment waited for it. `merchant` is null where the results are those of several.
CREATE OR REPLACE FUNCTION settle_delivery_attempts(merchant UUID, results JSON)
RETURNS TABLE (place INT, failing_since TIMESTAMPTZ, is_next_due BOOLEAN) LANGUAGE plpgsql AS $$
DECLARE
  input RECORD;
BEGIN
  FOR input IN SELECT entry.ordinality::int AS place, entry.value AS result, about.*
    FROM json_array_elements(results) WITH ORDINALITY AS entry,
      json_to_record(entry.value) AS about (merchant_id uuid, endpoint_id uuid, payment_id uuid, ended_at timestamptz,
        forgotten_before timestamptz, state delivery_state)
    ORDER BY entry.ordinality
  LOOP
    place := input.place;
    failing_since := settle_delivery_attempt(input.merchant_id, input.result, input.ended_at, input.forgotten_before);
    is_next_due := input.state <> 'PENDING' AND input.payment_id IS NOT NULL AND EXISTS (SELECT FROM webhook_delivery AS next
      WHERE next.merchant_id = input.merchant_id AND (next.endpoint_id = input.endpoint_id) IS TRUE AND next.payment_id = input.payment_id
        AND next.state = 'PENDING');
    RETURN NEXT;
  END LOOP;
END $$;

-- Since when every attempt at the endpoint has failed; null when this one succeeded. The delivery changes only while the caller holds it,
-- identified by its attempt number. One that was given up meanwhile, because its endpoint was disabled, still becomes delivered when it has
-- arrived. The endpoint is locked before the delivery, as by what disables it.
CREATE OR REPLACE FUNCTION settle_delivery_attempt(merchant UUID, result JSON, at TIMESTAMPTZ, forgotten_before TIMESTAMPTZ) RETURNS TIMESTAMPTZ
LANGUAGE plpgsql AS $$
DECLARE
  input RECORD;
  since TIMESTAMPTZ;
  at_once BOOLEAN;
BEGIN
  SELECT * INTO input FROM json_to_record(result) AS input (delivery_id uuid, number int, endpoint_id uuid, url text,
    started_at timestamptz, duration_ms int, delivered boolean, status int, failure text, answer text, retry_at timestamptz,
    state delivery_state);
  IF input.delivered THEN
    UPDATE webhook_endpoint SET failing_since = NULL, last_delivered_at = at
    WHERE merchant_id = merchant AND id = input.endpoint_id
      AND (failing_since IS NOT NULL OR last_delivered_at IS NULL OR last_delivered_at < at - interval '10 seconds');
  ELSE
    UPDATE webhook_endpoint SET last_failed_at = at,
      failing_since = CASE WHEN failing_since IS NULL OR last_failed_at < forgotten_before THEN at ELSE failing_since END
    WHERE merchant_id = merchant AND id = input.endpoint_id RETURNING failing_since INTO since;
  END IF;
  at_once := input.delivered AND input.number = 1;
  IF input.number > 1 THEN
    INSERT INTO webhook_delivery_attempt (merchant_id, delivery_id, number, endpoint_id, url, started_at, duration_ms, delivered, status, answer)
    SELECT merchant, id, 1, endpoint_id, url, delivered_at - duration_ms * interval '1 millisecond', duration_ms, true, last_status, answer
    FROM webhook_delivery WHERE merchant_id = merchant AND id = input.delivery_id AND url IS NOT NULL
    ON CONFLICT DO NOTHING;
  END IF;
  UPDATE webhook_delivery SET next_attempt_at = input.retry_at, last_status = input.status, last_failure = input.failure, updated_at = at,
    state = input.state, delivered_at = CASE WHEN input.delivered THEN at ELSE delivered_at END,
    url = CASE WHEN at_once THEN input.url END, duration_ms = CASE WHEN at_once THEN input.duration_ms END,
    answer = CASE WHEN at_once THEN input.answer END,
    due_at = CASE WHEN input.state = 'PENDING' THEN input.retry_at END,
    settled_attempts = CASE WHEN input.state <> 'PENDING' AND input.number <> 1 THEN input.number END
  WHERE merchant_id = merchant AND id = input.delivery_id AND attempts = input.number
    AND (webhook_delivery.state = 'PENDING' OR input.delivered);
  IF FOUND AND at_once THEN RETURN NULL; END IF;
  INSERT INTO webhook_delivery_attempt (merchant_id, delivery_id, number, endpoint_id, url, started_at, duration_ms, delivered, status,
    failure, answer)
  VALUES (merchant, input.delivery_id, input.number, input.endpoint_id, input.url, input.started_at, input.duration_ms, input.delivered,
    input.status, input.failure, input.answer)
  ON CONFLICT DO NOTHING;
  RETURN since;
END $$;

-- A session keeps the plan of a trigger's statements. Made while the table is small, it would read all of it for each delivery of a backlog
-- that came since: hence the setting.
CREATE OR REPLACE FUNCTION keep_due_delivery() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.due_at IS NOT NULL THEN
    DELETE FROM due_delivery
    WHERE merchant_id = OLD.merchant_id AND endpoint_id = OLD.endpoint_id AND due_at = OLD.due_at AND delivery_id = OLD.id;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.due_at IS NOT NULL THEN
    INSERT INTO due_delivery (merchant_id, endpoint_id, due_at, delivery_id) VALUES (NEW.merchant_id, NEW.endpoint_id, NEW.due_at, NEW.id);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER webhook_delivery_becomes_due AFTER INSERT ON "webhook_delivery" FOR EACH ROW
  WHEN (NEW."due_at" IS NOT NULL) EXECUTE FUNCTION "keep_due_delivery"();

CREATE OR REPLACE TRIGGER webhook_delivery_due_changed AFTER UPDATE ON "webhook_delivery" FOR EACH ROW
  WHEN (OLD."due_at" IS DISTINCT FROM NEW."due_at") EXECUTE FUNCTION "keep_due_delivery"();

CREATE OR REPLACE TRIGGER webhook_delivery_deleted AFTER DELETE ON "webhook_delivery" FOR EACH ROW
  WHEN (OLD."due_at" IS NOT NULL) EXECUTE FUNCTION "keep_due_delivery"();


-- prisma/functions/disputes.sql

CREATE OR REPLACE FUNCTION keep_dispute_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the history of a dispute does not change';
END $$;

CREATE OR REPLACE TRIGGER keep_dispute_event BEFORE UPDATE ON "dispute_event" FOR EACH ROW EXECUTE FUNCTION keep_dispute_event();


-- prisma/functions/settlements.sql

-- A line is a fact of the gateway's: only what it is linked to changes.
CREATE OR REPLACE FUNCTION keep_settlement_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.settlement_id, OLD.account_id, OLD.position, OLD.kind, OLD.amount, OLD.currency, OLD.reference, OLD.transaction_id, OLD.description, OLD.occurred_at)
    IS DISTINCT FROM
    (NEW.settlement_id, NEW.account_id, NEW.position, NEW.kind, NEW.amount, NEW.currency, NEW.reference, NEW.transaction_id, NEW.description, NEW.occurred_at)
  THEN
    RAISE EXCEPTION 'settlement lines do not change';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER keep_settlement_line BEFORE UPDATE ON "settlement_line" FOR EACH ROW EXECUTE FUNCTION keep_settlement_line();

-- A contract is what decisions were taken from and fees compared with.
CREATE OR REPLACE FUNCTION keep_fee_contract() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'contracts do not change';
END $$;

CREATE OR REPLACE TRIGGER keep_fee_contract BEFORE UPDATE ON "fee_contract" FOR EACH ROW EXECUTE FUNCTION keep_fee_contract();


-- prisma/functions/bank.sql

-- A line is a fact of the bank's: only the statement that is named for it changes, when that one is withdrawn and another has the line too.
CREATE OR REPLACE FUNCTION keep_bank_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.merchant_id, OLD.id, OLD.mode, OLD.bank_account, OLD.booked_on, OLD.amount, OLD.currency, OLD.text, OLD.dedupe_key, OLD.created_at)
    IS DISTINCT FROM
    (NEW.merchant_id, NEW.id, NEW.mode, NEW.bank_account, NEW.booked_on, NEW.amount, NEW.currency, NEW.text, NEW.dedupe_key, NEW.created_at)
  THEN
    RAISE EXCEPTION 'lines of bank statements do not change';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER keep_bank_line BEFORE UPDATE ON "bank_line" FOR EACH ROW EXECUTE FUNCTION keep_bank_line();


-- prisma/functions/accounting.sql

-- What was frozen stays: a month is reviewed and signed off, each once, and nothing else of it changes.
CREATE OR REPLACE FUNCTION keep_month_close() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE'
    AND ROW(NEW.merchant_id, NEW.id, NEW.mode, NEW.month, NEW.time_zone, NEW.document, NEW.hash, NEW.closed_by, NEW.closed_at)
      IS NOT DISTINCT FROM
      ROW(OLD.merchant_id, OLD.id, OLD.mode, OLD.month, OLD.time_zone, OLD.document, OLD.hash, OLD.closed_by, OLD.closed_at)
    AND ((OLD.reviewed_at IS NULL AND OLD.signed_at IS NULL) OR ROW(NEW.reviewed_by, NEW.reviewed_at, NEW.review_note)
      IS NOT DISTINCT FROM ROW(OLD.reviewed_by, OLD.reviewed_at, OLD.review_note))
    AND (OLD.signed_at IS NULL OR ROW(NEW.signed_by, NEW.signed_name, NEW.signed_at)
      IS NOT DISTINCT FROM ROW(OLD.signed_by, OLD.signed_name, OLD.signed_at))
  THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'closed months do not change';
END $$;

CREATE OR REPLACE TRIGGER keep_month_close BEFORE UPDATE OR DELETE ON "month_close" FOR EACH ROW EXECUTE FUNCTION keep_month_close();

CREATE OR REPLACE FUNCTION keep_month_close_item() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'amounts of closed months do not change';
END $$;

CREATE OR REPLACE TRIGGER keep_month_close_item BEFORE UPDATE OR DELETE ON "month_close_item" FOR EACH ROW EXECUTE FUNCTION keep_month_close_item();

-- What was posted stays.
CREATE OR REPLACE FUNCTION keep_late_journal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'journals of late arrivals do not change';
END $$;

CREATE OR REPLACE TRIGGER keep_late_journal BEFORE UPDATE OR DELETE ON "late_journal" FOR EACH ROW EXECUTE FUNCTION keep_late_journal();
CREATE OR REPLACE TRIGGER keep_late_journal_item BEFORE UPDATE OR DELETE ON "late_journal_item" FOR EACH ROW EXECUTE FUNCTION keep_late_journal();


-- prisma/functions/rollups.sql

-- Rows are inserted one at a time, from values: an INSERT from the rows of the trigger would be planned for all nodes, where these rows
-- are not known.
CREATE OR REPLACE FUNCTION record_payment_rollup_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  p RECORD;
  sign INTEGER := 1;
BEGIN
  IF TG_OP = 'DELETE' THEN p := OLD; sign := -1; ELSE p := NEW; END IF;
  INSERT INTO payment_rollup_change (merchant_id, mode, created_at, account_id, gateway, method, rule_id, currency, status,
    payments, amount, fees, refunded, late, reversed, expired)
  VALUES (p.merchant_id, p.mode, p.created_at, COALESCE(p.account_id, '00000000-0000-0000-0000-000000000000'::uuid),
    COALESCE(p.account_gateway, ''), COALESCE(p.paid_method, p.payment_method, ''), COALESCE(p.rule_id, ''), p.currency, p.status,
    sign, sign * p.amount, CASE WHEN p.status IN ('SUCCESS', 'REFUNDED') THEN sign * COALESCE(p.fee_amount, 0) ELSE 0 END,
    sign * p.refunded_amount, CASE WHEN p.late THEN sign ELSE 0 END, sign * p.reversed_amount,
    CASE WHEN p.status = 'FAILED' AND p.failure_reason = 'session_expired' THEN sign ELSE 0 END);
  RETURN NULL;
END $$;

-- Payments change many at a time, in one statement. It leaves one record for all that are alike, by the hour, which is as fine as roll-ups
-- get. What rows were counts against, what they are counts for: rows that stay as they are cancel out in their group.
CREATE OR REPLACE FUNCTION record_payment_rollup_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change RECORD;
BEGIN
  FOR change IN
    SELECT merchant_id, mode, hour, account_id, gateway, method, rule_id, currency, status,
      sum(sign) AS payments, sum(sign * amount) AS amount, sum(sign * fees) AS fees, sum(sign * refunded_amount) AS refunded,
      sum(sign * late) AS late, sum(sign * reversed_amount) AS reversed, sum(sign * expired) AS expired
    FROM (
      SELECT sign, merchant_id, mode, date_trunc('hour', created_at, 'UTC') AS hour,
        COALESCE(account_id, '00000000-0000-0000-0000-000000000000'::uuid) AS account_id, COALESCE(account_gateway, '') AS gateway,
        COALESCE(paid_method, payment_method, '') AS method, COALESCE(rule_id, '') AS rule_id, currency, status, side.amount,
        CASE WHEN status IN ('SUCCESS', 'REFUNDED') THEN COALESCE(fee_amount, 0) ELSE 0 END AS fees, refunded_amount,
        side.late::int AS late, reversed_amount,
        CASE WHEN status = 'FAILED' AND failure_reason = 'session_expired' THEN 1 ELSE 0 END AS expired
      FROM (SELECT -1 AS sign, * FROM payment_before UNION ALL SELECT 1, * FROM payment_after) AS side
      WHERE status <> 'INITIATED'
    ) AS changes
    GROUP BY merchant_id, mode, hour, account_id, gateway, method, rule_id, currency, status
    HAVING sum(sign) <> 0 OR sum(sign * changes.amount) <> 0 OR sum(sign * changes.fees) <> 0 OR sum(sign * refunded_amount) <> 0
      OR sum(sign * changes.late) <> 0 OR sum(sign * reversed_amount) <> 0 OR sum(sign * changes.expired) <> 0
  LOOP
    INSERT INTO payment_rollup_change (merchant_id, mode, created_at, account_id, gateway, method, rule_id, currency, status,
      payments, amount, fees, refunded, late, reversed, expired)
    VALUES (change.merchant_id, change.mode, change.hour, change.account_id, change.gateway, change.method, change.rule_id,
      change.currency, change.status, change.payments, change.amount, change.fees, change.refunded, change.late, change.reversed,
      change.expired);
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER payment_rollup_insert AFTER INSERT ON "payment" FOR EACH ROW
  WHEN (NEW.status <> 'INITIATED') EXECUTE FUNCTION "record_payment_rollup_change"();
CREATE OR REPLACE TRIGGER payment_rollup_delete AFTER DELETE ON "payment" FOR EACH ROW
  WHEN (OLD.status <> 'INITIATED') EXECUTE FUNCTION "record_payment_rollup_change"();
CREATE OR REPLACE TRIGGER payment_rollup_update AFTER UPDATE ON "payment"
  REFERENCING OLD TABLE AS payment_before NEW TABLE AS payment_after
  FOR EACH STATEMENT EXECUTE FUNCTION "record_payment_rollup_changes"();

-- Buckets of latency: each is a fifth wider than the one before, from 10 ms on. Logarithms of exact decimals would take eleven
-- microseconds of an attempt.
CREATE OR REPLACE FUNCTION latency_bucket(latency_ms INTEGER) RETURNS SMALLINT LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN latency_ms <= 10 THEN 0 ELSE LEAST(60, ceil(ln(latency_ms / 10.0::float8) / ln(1.2::float8)))::smallint END
$$;

-- An attempt that was given up may turn out to have opened its checkout after all, when the process that began it was only held up. Its
-- first answer is then taken back from the roll-ups, and the other counted.
CREATE OR REPLACE FUNCTION record_attempt_rollup_change() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE OR REPLACE FUNCTION record_attempt_rollup_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change RECORD;
BEGIN
  FOR change IN
    SELECT merchant_id, date_trunc('hour', created_at, 'UTC') AS hour, account_id, gateway,
      COALESCE(failure_class, 'opened') AS outcome, latency_bucket(latency_ms) AS bucket, sum(sign) AS attempts
    FROM (
      SELECT -1 AS sign, merchant_id, created_at, account_id, gateway, failure_class, latency_ms FROM attempt_before
      UNION ALL SELECT 1, merchant_id, created_at, account_id, gateway, failure_class, latency_ms FROM attempt_after
    ) AS side
    WHERE latency_ms IS NOT NULL
    GROUP BY merchant_id, hour, account_id, gateway, outcome, bucket
    HAVING sum(sign) <> 0
  LOOP
    INSERT INTO attempt_rollup_change (merchant_id, created_at, account_id, gateway, result, latency_bucket, attempts)
    VALUES (change.merchant_id, change.hour, change.account_id, change.gateway, change.outcome, change.bucket, change.attempts);
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER attempt_rollup_insert AFTER INSERT ON "attempt" FOR EACH ROW
  WHEN (NEW.latency_ms IS NOT NULL) EXECUTE FUNCTION "record_attempt_rollup_change"();
CREATE OR REPLACE TRIGGER attempt_rollup_update AFTER UPDATE ON "attempt"
  REFERENCING OLD TABLE AS attempt_before NEW TABLE AS attempt_after
  FOR EACH STATEMENT EXECUTE FUNCTION "record_attempt_rollup_changes"();


-- prisma/functions/audit.sql

-- What has been written stays as it was written, whatever a mistake in the application tries.
CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit entries are only ever added';
END $$;

CREATE OR REPLACE TRIGGER audit_entry_append_only BEFORE UPDATE OR DELETE ON "audit_entry" FOR EACH ROW EXECUTE FUNCTION "refuse_audit_change"();
CREATE OR REPLACE TRIGGER audit_entry_no_truncate BEFORE TRUNCATE ON "audit_entry" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();
