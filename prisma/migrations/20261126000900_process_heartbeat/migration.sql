-- Which processes live: a key locked by one that has ended is free for the next request with it.
CREATE TABLE "process_heartbeat" (
    "process_id" UUID NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "process_heartbeat_pkey" PRIMARY KEY ("process_id")
);

-- Null in records of the version before, whose locks end by their time alone.
ALTER TABLE "idempotency_record" ADD COLUMN "process_id" UUID;
