import type { Tool } from '../tool.ts';
import { findDisputes } from './disputes.ts';
import { requestPublication, saveDraft } from './drafts.ts';
import { health } from './health.ts';
import { explainPayment, findPayments, wouldRouteSameNow } from './payments.ts';
import { report } from './report.ts';
import { checkRules, getDraft, listDrafts, listRules, replayDraft, tryDraft } from './rules.ts';
import { getSettlement, listSettlements } from './settlements.ts';
import { listMerchants, whoami } from './whoami.ts';

/** Every tool of the MCP server. */
export const TOOLS: readonly Tool[] = [
  whoami,
  listMerchants,
  findPayments,
  explainPayment,
  wouldRouteSameNow,
  findDisputes,
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
  listSettlements,
  getSettlement,
];
