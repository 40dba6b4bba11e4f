import type { Tool } from '../tool.ts';
import { requestPublication, saveDraft } from './drafts.ts';
import { health } from './health.ts';
import { explainPayment, findPayments, wouldRouteSameNow } from './payments.ts';
import { report } from './report.ts';
import { checkRules, getDraft, listDrafts, listRules, replayDraft, tryDraft } from './rules.ts';
import { listMerchants, whoami } from './whoami.ts';

/** Every tool of the MCP server. */
export const TOOLS: readonly Tool[] = [
  whoami,
  listMerchants,
  findPayments,
  explainPayment,
  wouldRouteSameNow,
  health,
  listRules,
  listDrafts,
  getDraft,
  checkRules,
  tryDraft,
  replayDraft,
  saveDraft,
  requestPublication,
  report,
];
