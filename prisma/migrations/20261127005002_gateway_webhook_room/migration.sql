-- Room for a second version of a row beside the first: claiming a webhook for its follow-up then writes no index.
SET lock_timeout = '2s';

ALTER TABLE "gateway_webhook" SET (fillfactor = 85);
