-- Which pools of workers are alive, so that the jobs of dead ones are done by others.
CREATE TABLE "job_pool" (
    "pool_id" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "job_pool_pkey" PRIMARY KEY ("pool_id")
);
