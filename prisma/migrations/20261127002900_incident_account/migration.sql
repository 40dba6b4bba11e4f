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

-- CreateIndex
CREATE INDEX "incident_account_met_until_idx" ON "incident_account"("met_until");

-- Incidents so far. Health judges by the five minutes before a state; no chart was kept of those that have ended.
INSERT INTO "incident_account" ("merchant_id", "incident_id", "account_id", "met_from", "met_until")
SELECT "merchant_id", "id", "subject"::uuid, "since" - interval '5 minutes', "closed_at" FROM "incident"
WHERE "kind" IN ('gateway_degraded', 'gateway_down');

INSERT INTO "incident_account" ("merchant_id", "incident_id", "account_id", "met_from", "met_until")
SELECT (member ->> 'merchantId')::uuid, incident."id", (member ->> 'accountId')::uuid,
  (member ->> 'since')::timestamptz - interval '5 minutes', incident."closed_at"
FROM "incident" AS incident CROSS JOIN LATERAL json_array_elements(incident."facts" -> 'members') AS member
WHERE incident."kind" = 'correlated_outage'
ON CONFLICT DO NOTHING;
