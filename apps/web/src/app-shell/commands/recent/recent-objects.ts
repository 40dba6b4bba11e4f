import * as z from 'zod/mini';
import { MODES } from '#/scope/scope.ts';
import { RECENT_KEY } from './forget-opened.ts';

const KINDS = ['payment', 'settlement', 'dispute', 'merchant', 'draft', 'endpoint'] as const;

const objectSchema = z.object({
  kind: z.enum(KINDS),
  id: z.string(),
  /** As its page showed it. */
  title: z.string(),
  /** Null for an object of both modes. */
  mode: z.nullable(z.enum(MODES)),
  merchantId: z.string(),
});
const storedSchema = z.object({ staffId: z.string(), objects: z.array(objectSchema) });

/** An object whose page a person opened. */
export type RecentObject = z.output<typeof objectSchema>;

/** The number of objects kept. */
export const RECENT_MAX = 8;

const TITLE_MAX = 120;

/** The objects that a person opened in this browser, the last one first; none of another person. */
export function recentObjects(staffId: string): readonly RecentObject[] {
  try {
    const stored = storedSchema.safeParse(JSON.parse(window.localStorage.getItem(RECENT_KEY) ?? 'null'));
    return stored.success && stored.data.staffId === staffId ? stored.data.objects : [];
  } catch {
    return [];
  }
}

/** Puts an object first. Those of another person who used this browser go. */
export function rememberOpened(staffId: string, opened: RecentObject): void {
  const object = { ...opened, title: opened.title.slice(0, TITLE_MAX) };
  const others = recentObjects(staffId).filter(({ kind, id }) => kind !== object.kind || id !== object.id);
  try {
    window.localStorage.setItem(RECENT_KEY, JSON.stringify({ staffId, objects: [object, ...others].slice(0, RECENT_MAX) }));
  } catch {
    // Without storage nothing is recent.
  }
}
