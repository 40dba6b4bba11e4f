-- Incidents, the channels that are told of them, and the log of what each was told.

CREATE TYPE "incident_kind" AS ENUM ('gateway_degraded', 'gateway_down', 'correlated_outage', 'duplicate_charge', 'refund_stuck',
  'payment_review', 'reconciliation_discrepancy', 'webhook_endpoint_off', 'backlog', 'api_key_expiring', 'credentials_refused',
  'certificate_expiring', 'sign_in_from_new_place');
CREATE TYPE "incident_severity" AS ENUM ('info', 'warning', 'critical');
CREATE TYPE "notification_channel_kind" AS ENUM ('email', 'slack', 'teams', 'pagerduty', 'webhook');
CREATE TYPE "notification_event" AS ENUM ('opened', 'acknowledged', 'escalated', 'recovered', 'absorbed', 'test');
CREATE TYPE "notification_state" AS ENUM ('PENDING', 'SENT', 'FAILED', 'SKIPPED');

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
CREATE UNIQUE INDEX "notification_merchant_id_incident_id_channel_id_event_key" ON "notification" ("merchant_id", "incident_id", "channel_id", "event");
CREATE INDEX "notification_merchant_id_created_at_id_idx" ON "notification" ("merchant_id", "created_at", "id");
CREATE INDEX "notification_pending" ON "notification" ("channel_id", "next_attempt_at") WHERE "state" = 'PENDING';

-- Refunds that wait for a person, which are counted every few seconds.
CREATE INDEX "refund_needs_attention" ON "refund" ("merchant_id", "mode", "created_at") WHERE "state" = 'NEEDS_ATTENTION';
