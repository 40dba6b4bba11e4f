import { momentValue } from '@switchyard/db/moments';
import type { ReadableChains } from '@switchyard/staff/audit-log';
import { z } from 'zod';

const CHOICES_MAX = 100;
const words = z.array(z.string().max(200)).max(CHOICES_MAX).default([]);

/** The filter of audit log entries. */
export const auditFilter = z.object({
  /** Null for every merchant the caller may read, and the workspace itself where they may read that. */
  merchantId: z.uuid().toLowerCase().nullable().default(null),
  /** Only entries of the workspace itself. */
  workspace: z.boolean().default(false),
  actors: words,
  actions: words,
  objectTypes: words,
  objectId: z.string().max(200).nullable().default(null),
  from: momentValue.nullable().default(null),
  to: momentValue.nullable().default(null),
});

/** Message to callers who may not read a part of the audit log. */
export const FORBIDDEN_CHAINS: Readonly<Record<Exclude<ReadableChains['kind'], 'readable'>, string>> = {
  workspace_forbidden: 'Your role does not cover the workspace itself. Ask an owner of all merchants.',
  merchant_forbidden: 'You have no access to this merchant.',
};
