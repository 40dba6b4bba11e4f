import { expectTypeOf, test } from 'vitest';
import type { FindingText } from './kind.ts';
import type { describeFinding, FindingKind, INCIDENTS, IncidentKind, KINDS, TASKS, TaskKind } from './kinds.ts';

test('a kind without a title, a permission, a reader or a sentence does not compile', () => {
  expectTypeOf<keyof typeof KINDS>().toEqualTypeOf<FindingKind>();
  expectTypeOf<keyof typeof INCIDENTS>().toEqualTypeOf<IncidentKind>();
  expectTypeOf<keyof typeof TASKS>().toEqualTypeOf<TaskKind>();
  expectTypeOf<FindingKind>().toEqualTypeOf<IncidentKind | TaskKind>();
  expectTypeOf<typeof describeFinding>().parameter(0).toEqualTypeOf<FindingKind>();
  expectTypeOf<typeof describeFinding>().returns.toEqualTypeOf<FindingText>();
});
