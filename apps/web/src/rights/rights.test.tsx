// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest';
import { actingPlaces, askingPlaces } from '../testing/rights/acting-places.ts';
import { ADMIN_SCENES, commandsWithoutLine } from '../testing/rights/admin-scenes.tsx';
import { MONEY_SCENES } from '../testing/rights/money-scenes.tsx';
import { OPERATION_SCENES } from '../testing/rights/operation-scenes.tsx';
import { SETTLEMENT_SCENES } from '../testing/rights/settlement-scenes.tsx';
import { permissionFor, permissionOf, proveScenes } from '../testing/rights/shown-by-right.tsx';

/*
 * Every control that acts is seen exactly by the right that its procedures ask, at the merchant of its row. A scene shows a page or a
 * part of one with rows of two merchants, to people with the right at one of them.
 */

const SCENES = [...ADMIN_SCENES, ...MONEY_SCENES, ...OPERATION_SCENES, ...SETTLEMENT_SCENES];
const CONTROLS = SCENES.flatMap(({ controls }) => controls);
/** Sources that ask for the rights of a table. */
const BY_TABLE = [
  'app-shell/commands/commands.ts',
  'app-shell/navigation/navigation.ts',
  'incidents/incident-links.tsx',
  'overview/setup/setup-checklist.tsx',
];

const procedureOf = (place: string) => place.split(' ').at(-1) ?? '';

describe('the table', () => {
  test('has a control for every place that calls a procedure which takes a right', () => {
    const places = actingPlaces().filter((place) => permissionFor(procedureOf(place)) !== 'signed_in');
    const proven = new Set(CONTROLS.flatMap(({ uses = [] }) => uses));
    const missing = places.filter((place) => !proven.has(place));
    expect(missing, 'add to `uses` of the control that leads there, in a scene of its page').toEqual([]);
    expect([...proven].filter((place) => !places.includes(place))).toEqual([]);
  });

  test('has a control for every place that asks for a right to change something', () => {
    const asked = askingPlaces();
    const proven = new Set(CONTROLS.map(({ asks }) => asks));
    expect(
      asked.filter((place) => !proven.has(place)),
      'add a control with it as `asks`',
    ).toEqual([]);
    const isKnown = (place: string) => asked.includes(place) || BY_TABLE.some((source) => place.startsWith(source));
    expect([...proven].filter((place) => !isKnown(place))).toEqual([]);
  });

  test('has a line for every action of the command menu that takes a right', () => {
    expect(commandsWithoutLine(), 'add it to COMMAND_RIGHTS').toEqual([]);
  });

  test.each(CONTROLS.filter(({ uses = [] }) => uses.length > 0))(
    'asks for $asks what its procedures ask',
    ({ asks, uses = [] }) => {
      for (const use of uses)
        expect(`${use} takes ${permissionFor(procedureOf(use))}`).toBe(`${use} takes ${permissionOf(asks)}`);
    },
  );
});

describe('controls', () => proveScenes(SCENES));
