-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "mode" AS ENUM ('test', 'live');

-- CreateEnum
CREATE TYPE "payment_status" AS ENUM ('INITIATED', 'PENDING', 'SUCCESS', 'FAILED', 'REFUNDED');

-- CreateEnum
CREATE TYPE "attempt_state" AS ENUM ('STARTED', 'OPENED', 'REFUSED', 'UNKNOWN', 'PAID', 'UNPAID');

-- CreateEnum
CREATE TYPE "review_state" AS ENUM ('OPEN', 'RESOLVED');

-- CreateEnum
CREATE TYPE "refund_state" AS ENUM ('REQUESTED', 'PROCESSING', 'SUCCEEDED', 'FAILED', 'NEEDS_ATTENTION');

-- CreateEnum
CREATE TYPE "rule_set_state" AS ENUM ('DRAFT', 'SCHEDULED', 'PUBLISHED', 'SUPERSEDED', 'DISCARDED');

-- CreateEnum
CREATE TYPE "override_action" AS ENUM ('drain', 'disable', 'force');

-- CreateEnum
CREATE TYPE "gateway_webhook_state" AS ENUM ('RECEIVED', 'PROCESSED', 'IGNORED');

-- CreateEnum
CREATE TYPE "delivery_state" AS ENUM ('PENDING', 'DELIVERED', 'FAILED');

-- CreateEnum
CREATE TYPE "staff_role" AS ENUM ('owner', 'operator', 'finance', 'viewer');

-- CreateTable
CREATE TABLE "merchant" (
    "id" UUID NOT NULL,
    "merchant_number" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "default_redirect_url" TEXT,
    "session_minutes" INTEGER NOT NULL DEFAULT 60,
    "refund_duplicates" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "merchant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "configuration_revision" (
    "merchant_id" UUID NOT NULL,
    "revision" INTEGER NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

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

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("merchant_id","id")
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
    "fees" JSON,
    "base_url" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "gateway_account_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
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

    CONSTRAINT "rule_set_version_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
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

    CONSTRAINT "routing_override_pkey" PRIMARY KEY ("merchant_id","id")
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
    "latency_ms_sum" BIGINT NOT NULL,

    CONSTRAINT "health_bucket_pkey" PRIMARY KEY ("merchant_id","account_id","method","bucket_at","process_id")
);

-- CreateTable
CREATE TABLE "health_status" (
    "merchant_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "method" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "why" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "probe_percent" INTEGER NOT NULL,
    "succeeded" INTEGER NOT NULL,
    "faulted" INTEGER NOT NULL,
    "paid" INTEGER NOT NULL,
    "unpaid" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "health_status_pkey" PRIMARY KEY ("merchant_id","account_id","method")
);

-- CreateTable
CREATE TABLE "health_event" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "method" TEXT NOT NULL,
    "from_state" TEXT,
    "to_state" TEXT NOT NULL,
    "why" TEXT NOT NULL,
    "detail" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "health_event_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "payment" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "merchant_order_id" TEXT NOT NULL,
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
    "next_check_at" TIMESTAMPTZ(3),
    "check_count" INTEGER NOT NULL DEFAULT 0,
    "refunded_amount" BIGINT NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL,
    "status_event_id" UUID NOT NULL,
    "status_changed_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_pkey" PRIMARY KEY ("merchant_id","id")
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

    CONSTRAINT "attempt_pkey" PRIMARY KEY ("merchant_id","id")
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

    CONSTRAINT "timeline_event_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
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

    CONSTRAINT "idempotency_record_pkey" PRIMARY KEY ("merchant_id","mode","key")
);

-- CreateTable
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

    CONSTRAINT "refund_pkey" PRIMARY KEY ("merchant_id","id")
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
    "body" TEXT NOT NULL,
    "state" "gateway_webhook_state" NOT NULL,
    "deliveries" INTEGER NOT NULL DEFAULT 1,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "processed_at" TIMESTAMPTZ(3),

    CONSTRAINT "gateway_webhook_pkey" PRIMARY KEY ("merchant_id","id")
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

    CONSTRAINT "webhook_endpoint_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "webhook_delivery" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "state" "delivery_state" NOT NULL,
    "attempts" INTEGER NOT NULL,
    "next_attempt_at" TIMESTAMPTZ(3),
    "last_status" INTEGER,
    "last_answer" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("merchant_id","id")
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

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "staff_user" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "email_verified" BOOLEAN NOT NULL DEFAULT false,
    "image" TEXT,
    "two_factor_enabled" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "staff_user_pkey" PRIMARY KEY ("id")
);

-- CreateTable
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
    "id" UUID NOT NULL,
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

    CONSTRAINT "staff_two_factor_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "staff_grant" (
    "staff_id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "role" "staff_role" NOT NULL,
    "granted_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "staff_grant_pkey" PRIMARY KEY ("staff_id","merchant_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "merchant_merchant_number_key" ON "merchant"("merchant_number");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_public_id_key" ON "api_key"("public_id");

-- CreateIndex
CREATE INDEX "api_key_merchant_id_mode_created_at_idx" ON "api_key"("merchant_id", "mode", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "gateway_account_merchant_id_mode_label_key" ON "gateway_account"("merchant_id", "mode", "label");

-- CreateIndex
CREATE INDEX "rule_set_version_merchant_id_mode_state_idx" ON "rule_set_version"("merchant_id", "mode", "state");

-- CreateIndex
CREATE UNIQUE INDEX "rule_set_version_merchant_id_mode_version_key" ON "rule_set_version"("merchant_id", "mode", "version");

-- CreateIndex
CREATE INDEX "routing_override_merchant_id_account_id_created_at_idx" ON "routing_override"("merchant_id", "account_id", "created_at");

-- CreateIndex
CREATE INDEX "health_bucket_bucket_at_idx" ON "health_bucket"("bucket_at");

-- CreateIndex
CREATE INDEX "health_event_merchant_id_created_at_idx" ON "health_event"("merchant_id", "created_at");

-- CreateIndex
CREATE INDEX "payment_merchant_id_mode_created_at_id_idx" ON "payment"("merchant_id", "mode", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_merchant_id_mode_merchant_order_id_key" ON "payment"("merchant_id", "mode", "merchant_order_id");

-- CreateIndex
CREATE INDEX "attempt_merchant_id_payment_id_position_idx" ON "attempt"("merchant_id", "payment_id", "position");

-- CreateIndex
CREATE UNIQUE INDEX "attempt_merchant_id_account_id_reference_key" ON "attempt"("merchant_id", "account_id", "reference");

-- CreateIndex
CREATE INDEX "timeline_event_merchant_id_payment_id_created_at_id_idx" ON "timeline_event"("merchant_id", "payment_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "idempotency_record_expires_at_idx" ON "idempotency_record"("expires_at");

-- CreateIndex
CREATE INDEX "refund_merchant_id_payment_id_created_at_idx" ON "refund"("merchant_id", "payment_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "refund_merchant_id_account_id_reference_key" ON "refund"("merchant_id", "account_id", "reference");

-- CreateIndex
CREATE INDEX "gateway_webhook_merchant_id_received_at_idx" ON "gateway_webhook"("merchant_id", "received_at");

-- CreateIndex
CREATE UNIQUE INDEX "gateway_webhook_merchant_id_account_id_dedupe_key_key" ON "gateway_webhook"("merchant_id", "account_id", "dedupe_key");

-- CreateIndex
CREATE INDEX "webhook_endpoint_merchant_id_mode_created_at_idx" ON "webhook_endpoint"("merchant_id", "mode", "created_at");

-- CreateIndex
CREATE INDEX "webhook_delivery_merchant_id_endpoint_id_created_at_idx" ON "webhook_delivery"("merchant_id", "endpoint_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_delivery_merchant_id_endpoint_id_event_id_key" ON "webhook_delivery"("merchant_id", "endpoint_id", "event_id");

-- CreateIndex
CREATE INDEX "audit_entry_tenant_id_created_at_idx" ON "audit_entry"("tenant_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "audit_entry_tenant_id_position_key" ON "audit_entry"("tenant_id", "position");

-- CreateIndex
CREATE UNIQUE INDEX "staff_user_email_key" ON "staff_user"("email");

-- CreateIndex
CREATE UNIQUE INDEX "staff_session_token_key" ON "staff_session"("token");

-- CreateIndex
CREATE INDEX "staff_session_user_id_idx" ON "staff_session"("user_id");

-- CreateIndex
CREATE INDEX "staff_credential_user_id_idx" ON "staff_credential"("user_id");

-- CreateIndex
CREATE INDEX "staff_verification_identifier_idx" ON "staff_verification"("identifier");

-- CreateIndex
CREATE INDEX "staff_two_factor_user_id_idx" ON "staff_two_factor"("user_id");

-- AddForeignKey
ALTER TABLE "attempt" ADD CONSTRAINT "attempt_merchant_id_payment_id_fkey" FOREIGN KEY ("merchant_id", "payment_id") REFERENCES "payment"("merchant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "timeline_event" ADD CONSTRAINT "timeline_event_merchant_id_payment_id_fkey" FOREIGN KEY ("merchant_id", "payment_id") REFERENCES "payment"("merchant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refund" ADD CONSTRAINT "refund_merchant_id_payment_id_fkey" FOREIGN KEY ("merchant_id", "payment_id") REFERENCES "payment"("merchant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "staff_session" ADD CONSTRAINT "staff_session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "staff_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "staff_credential" ADD CONSTRAINT "staff_credential_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "staff_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "staff_two_factor" ADD CONSTRAINT "staff_two_factor_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "staff_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "staff_grant" ADD CONSTRAINT "staff_grant_staff_id_fkey" FOREIGN KEY ("staff_id") REFERENCES "staff_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;


