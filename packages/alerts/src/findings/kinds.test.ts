import { expectTypeOf, test } from 'vitest';
import type { describeFinding, FindingText } from './describe-finding.ts';
import type { FindingKind, IncidentKind, KINDS, TaskKind } from './kinds.ts';
import type { CONDITION_READERS, TASK_READERS } from './readers.ts';

test('a kind without a title, a permission, a reader or a sentence does not compile', () => {
  expectTypeOf<keyof typeof KINDS>().toEqualTypeOf<FindingKind>();
  expectTypeOf<keyof typeof CONDITION_READERS>().toEqualTypeOf<IncidentKind>();
  expectTypeOf<keyof typeof TASK_READERS>().toEqualTypeOf<TaskKind>();
  expectTypeOf<FindingKind>().toEqualTypeOf<IncidentKind | TaskKind>();
  // A switch over the kinds that leaves one out would not return a text.
  expectTypeOf<typeof describeFinding>().parameter(0).toEqualTypeOf<FindingKind>();
  expectTypeOf<typeof describeFinding>().returns.toEqualTypeOf<FindingText>();
});
