import { z } from 'zod';
import { type RoleKey, STAFF_ROLES } from './permissions.ts';

export type { RoleKey } from './permissions.ts';

/** The key of a role: a name of `STAFF_ROLES`, or an id. */
export const roleKey: z.ZodType<RoleKey> = z.union([z.enum(STAFF_ROLES), z.uuid().toLowerCase()]);
