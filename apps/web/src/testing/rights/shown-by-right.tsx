import { appRouter } from '@switchyard/api/trpc';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openDashboard } from '#/testing/dashboard.tsx';
import type { Permission } from '#/trpc/use-can.ts';

/** A merchant of the suites: everything about it names it by its tag. */
export interface Merchant {
  readonly merchantId: string;
  readonly tag: string;
}

export const OURS: Merchant = { merchantId: '0193471e-8a3b-7c21-9f4e-00000000000a', tag: 'Adire' };
export const THEIRS: Merchant = { merchantId: '0193471e-8a3b-7c21-9f4e-00000000000b', tag: 'Bukola' };

/** Something of each merchant. */
export function both<Row>(row: (of: Merchant) => Row): Row[] {
  return [OURS, THEIRS].map(row);
}

/** A page of a list with a row of each merchant. */
export function items<Row>(row: (of: Merchant) => Row) {
  return { items: both(row), next: null };
}

/** The one of a list that an answer is about. */
export function ofId<Row>(row: (of: Merchant) => Row, id: string): Row | undefined {
  return [OURS, THEIRS].filter(({ tag }) => id.endsWith(tag)).map(row)[0];
}

/** A control that acts, by its accessible name, where it is seen, and the right that shows it. */
export interface Control {
  /** The source that asks for the right, and the right: `keys/keys-page.tsx key:issue`. */
  readonly asks: string;
  readonly name: string | RegExp | ((of: Merchant) => string | RegExp);
  /** A button unless another is said. */
  readonly role?:
    | 'file'
    | 'button'
    | 'link'
    | 'checkbox'
    | 'radio'
    | 'option'
    | 'dialog'
    | 'combobox'
    | 'textbox'
    | 'spinbutton'
    | 'heading'
    | 'switch';
  /** True if it can be seen before it can be used, as the button of a form without changes. */
  readonly isSeenDisabled?: boolean;
  /** Another right that shows it too. */
  readonly or?: Permission;
  /** Where the calls are made that it leads to: `keys/key-dialogs.tsx keys.issue`. */
  readonly uses?: readonly string[];
  /**
   * Where the right has to be held: at the merchant of its row (unless another is said), at that of the page or any where all are
   * shown, at that of the page, without which it is not shown, at any merchant, or for all of them.
   */
  readonly at?: 'row' | 'page' | 'page of one' | 'anywhere' | 'workspace';
}

/** A page or part of one, shown with rows of both merchants. */
export interface Scene {
  readonly title: string;
  /** Answers of the server. */
  readonly answers?: Readonly<Record<string, unknown>>;
  /** The part of a page for one merchant; those of both merchants are shown beside each other. */
  readonly of?: (merchant: Merchant) => ReactElement;
  /** A list that shows rows of both merchants itself; each row names its merchant's tag. */
  readonly list?: () => ReactElement;
  /** True if the controls are not in rows: each names its merchant itself. */
  readonly isWhole?: boolean;
  /** The one merchant that a list is about, where it is about one. */
  readonly about?: Merchant;
  /** Rights that everyone has here, because others than those in question show what it is in. */
  readonly alsoMay?: readonly Permission[];
  /** More of the address than mode and merchant. */
  readonly search?: string;
  /** Uses the page before its controls are looked for. */
  readonly first?: () => Promise<void>;
  readonly controls: readonly Control[];
}

const procedures: Readonly<Record<string, unknown>> = appRouter._def.procedures;

/** The right that a procedure takes, or that a session is enough. */
export function permissionFor(procedure: string): Permission | 'signed_in' {
  const found = procedures[procedure];
  if (typeof found !== 'function' || !('_def' in found)) throw new Error(`there is no procedure ${procedure}`);
  const { meta } = found._def as { readonly meta: { readonly permission: Permission | 'signed_in' } };
  return meta.permission;
}

/** Every right that a procedure takes. */
const PERMISSIONS = [...new Set(Object.keys(procedures).map(permissionFor))].filter((permission) => permission !== 'signed_in');
const READING = PERMISSIONS.filter((permission) => /:(read|simulate)$/.test(permission));

interface Grant {
  readonly merchantId: string | null;
  readonly permissions: readonly Permission[];
}

interface Case {
  readonly title: string;
  /** The merchant of the page; null shows all. */
  readonly page: Merchant | null;
  readonly access: readonly Grant[];
  /** The merchants whose controls are seen. */
  readonly seen: readonly Merchant[];
}

/** Against hanging: a page asks for little more than what it shows. */
const TURNS_MAX = 500;
/** Against hanging: parts of pages are loaded when they are first shown. */
const APPEARS_WITHIN_MS = 20_000;

const only = (permission: Permission) => [...READING, permission];
function casesOf(permission: Permission, { at = 'row', or }: Control, { list }: Scene): readonly Case[] {
  const butFor = (missing: Permission) => PERMISSIONS.filter((each) => each !== missing && each !== or);
  const grant = (of: Merchant | null, permissions: readonly Permission[]) => ({
    merchantId: of?.merchantId ?? null,
    permissions,
  });
  const both = [OURS, THEIRS];
  const none = { title: 'every other right', page: null, access: [grant(null, butFor(permission))], seen: [] };
  switch (at) {
    case 'row': {
      const rows: readonly Case[] = [
        {
          title: 'it at one',
          page: null,
          access: [grant(OURS, only(permission)), grant(THEIRS, butFor(permission))],
          seen: [OURS],
        },
        {
          title: 'it at the other',
          page: null,
          access: [grant(OURS, butFor(permission)), grant(THEIRS, only(permission))],
          seen: [THEIRS],
        },
      ];
      // Parts that are shown beside each other know nothing of each other; in a list a row could.
      return list === undefined ? rows.slice(0, 1) : rows;
    }
    case 'page':
      return [
        {
          title: 'it at one, on a page of all',
          page: null,
          access: [grant(OURS, only(permission)), grant(THEIRS, READING)],
          seen: both,
        },
        { title: 'it at the page’s', page: OURS, access: [grant(OURS, only(permission)), grant(THEIRS, READING)], seen: both },
        {
          title: 'it at another than the page’s',
          page: OURS,
          access: [grant(OURS, butFor(permission)), grant(THEIRS, only(permission))],
          seen: [],
        },
      ];
    case 'page of one':
      return [
        { title: 'it at the page’s', page: OURS, access: [grant(OURS, only(permission)), grant(THEIRS, READING)], seen: both },
        {
          title: 'it at another than the page’s',
          page: OURS,
          access: [grant(OURS, butFor(permission)), grant(THEIRS, only(permission))],
          seen: [],
        },
      ];
    case 'anywhere':
      return [
        {
          title: 'it at another than the page’s',
          page: OURS,
          access: [grant(OURS, READING), grant(THEIRS, only(permission))],
          seen: both,
        },
        none,
      ];
    case 'workspace':
      return [
        { title: 'it at each merchant', page: null, access: [grant(OURS, PERMISSIONS), grant(THEIRS, PERMISSIONS)], seen: [] },
        { title: 'it for all merchants', page: null, access: [grant(null, only(permission))], seen: both },
      ];
    default:
      return at satisfies never;
  }
}

/** Shows each scene with every kind of access, and proves that its controls are seen exactly by their rights. */
export function proveScenes(scenes: readonly Scene[]): void {
  const page = openDashboard('?mode=test');
  beforeEach(() => void vi.stubGlobal('fetch', async () => new Response('', { status: 503 })));
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });
  for (const scene of scenes) {
    const kinds = Map.groupBy(scene.controls, ({ asks, at = 'row', or = '' }) => `${permissionOf(asks)} ${at} ${or}`.trim());
    for (const [kind, controls] of kinds) {
      const [first] = controls;
      if (first === undefined) continue;
      const permission = permissionOf(first.asks);
      test.each(casesOf(permission, first, scene))(`${scene.title}, ${kind}: $title`, async ({ page: of, access, seen }) => {
        page.goTo(`?mode=test${of === null ? '' : `&merchant=${of.merchantId}`}${scene.search ?? ''}`);
        for (const [procedure, answer] of Object.entries(scene.answers ?? {})) {
          page.on(procedure, (input) => (typeof answer === 'function' ? answer(input) : answer));
        }
        const alike = { merchantId: null, permissions: scene.alsoMay ?? [] };
        page.on('me', () => ({ staffId: 'me', grants: [], access: [...access, alike] }));
        page.show(scene.list?.() ?? <OfBoth scene={scene} />);
        await settled();
        await scene.first?.();
        await settled();
        const looks = controls.flatMap((control) =>
          merchantsOf(scene, control).map((merchant) => ({ control, merchant, isExpected: seen.includes(merchant) })),
        );
        // Those that are seen first: parts of a page that are loaded later are there then.
        for (const { control, merchant, isExpected } of looks.toSorted((a, b) => Number(b.isExpected) - Number(a.isExpected))) {
          const check = () => {
            const { isSeen, label, others } = look(placeOf(scene, control, merchant), merchant, control);
            const said = `${label} of ${merchant.tag}, which asks ${control.asks}`;
            expect(isSeen, `${said} is ${isSeen ? '' : 'not '}seen among: ${others()}`).toBe(isExpected);
          };
          if (isExpected) await waitFor(check, { timeout: APPEARS_WITHIN_MS });
          else check();
        }
      });
    }
  }

  async function settled(): Promise<void> {
    for (let quiet = 0, turn = 0; quiet < 2; quiet = page.server().isIdle() ? quiet + 1 : 0, turn += 1) {
      if (turn > TURNS_MAX) throw new Error('the page asks the server without end');
      await act(() => new Promise<void>((resolve) => void setTimeout(resolve)));
    }
  }
}

/** The merchants of whose a control is: what is of no row is one for both. */
function merchantsOf({ about, list }: Scene, { at = 'row' }: Control): readonly Merchant[] {
  if (about !== undefined) return [about];
  return list !== undefined && at !== 'row' ? [OURS] : [OURS, THEIRS];
}

function placeOf({ about, list, isWhole = false }: Scene, { at = 'row' }: Control, merchant: Merchant): HTMLElement {
  if (list === undefined) return screen.getByTestId(merchant.tag);
  return at === 'row' && about === undefined && !isWhole ? rowOf(merchant) : document.body;
}

/** Nothing is laid out, so that asking each element whether it is seen costs much and says nothing. */
const ANY = { hidden: true };

/** Roles whose name is a label or the text inside: of long lists, it is read many times faster than by all rules of accessible names. */
const BY_CONTENT: readonly string[] = ['option', 'link'];

function shownName(element: HTMLElement): string {
  return element.getAttribute('aria-label') ?? element.textContent.trim();
}

function isNamed(name: string, label: string | RegExp): boolean {
  return typeof label === 'string' ? name === label : label.test(name);
}

/** Looks for a control in a place. */
function look(place: HTMLElement, of: Merchant, { name, role = 'button', isSeenDisabled = false }: Control) {
  const label = typeof name === 'function' ? name(of) : name;
  const inside = within(place);
  const all = role === 'file' ? [...place.querySelectorAll<HTMLElement>('input[type="file"]')] : inside.queryAllByRole(role, ANY);
  const found =
    role === 'file'
      ? all
      : BY_CONTENT.includes(role)
        ? all.filter((each) => isNamed(shownName(each), label))
        : inside.queryAllByRole(role, { ...ANY, name: label });
  return {
    label: `${role} ${String(label)}`,
    isSeen: found.some((each) => isSeenDisabled || !each.hasAttribute('disabled')),
    others: () => all.map(shownName).join(', '),
  };
}

function OfBoth({ scene }: { scene: Scene }) {
  return [OURS, THEIRS].map((merchant) => (
    <div key={merchant.tag} data-testid={merchant.tag}>
      {scene.of?.(merchant)}
    </div>
  ));
}

/** The permission at the end of `keys/keys-page.tsx key:issue`. */
export function permissionOf(asks: string): Permission {
  const name = asks.split(' ').at(-1);
  const permission = PERMISSIONS.find((each) => each === name);
  if (permission === undefined) throw new Error(`“${asks}” names no permission`);
  return permission;
}

/** The row, or else the line, that names a merchant: the smallest. */
function rowOf({ tag }: Merchant): HTMLElement {
  for (const selector of ['tr, [role="row"], li, form', 'section, p']) {
    const rows = [...document.querySelectorAll<HTMLElement>(selector)].filter(({ textContent }) => textContent.includes(tag));
    const smallest = rows.find((row) => !rows.some((other) => other !== row && row.contains(other)));
    if (smallest !== undefined) return smallest;
  }
  throw new Error(`no row names ${tag}`);
}
