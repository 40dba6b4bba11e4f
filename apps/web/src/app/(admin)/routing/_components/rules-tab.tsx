'use client';

import { IconPlus } from '@tabler/icons-react';
import { useQueryStates } from 'nuqs';
import { useEffect, useRef, useState } from 'react';
import { SortableList } from '../../../../components/sortable-list/sortable-list.tsx';
import { showToast } from '../../../../components/toasts/toast-store.ts';
import { methodTitle } from '../../../../words/gateways.ts';
import { bandText, shortAmount } from '../_rules/amounts.ts';
import type { Cell } from '../_rules/coverage.ts';
import type { Rule, RuleDocument } from '../_rules/document.ts';
import { insertRule, moveInList, newRule, type RuleWish, withoutRule, withRule } from '../_rules/edit.ts';
import { gravest } from '../_rules/findings.ts';
import { draftParsers, readWish } from '../address.ts';
import { Action } from './action.tsx';
import { CoverageMap } from './coverage-map.tsx';
import { DefaultOrderEditor } from './default-order-editor.tsx';
import type { LiveRouting } from './draft-editor.tsx';
import { MapScope, useMapScope } from './map-scope.tsx';
import { NoteList, NoteMark } from './notes.tsx';
import { RuleEditor } from './rule-editor.tsx';
import { RuleSummary, Share } from './rule-summary.tsx';
import classes from './rules-tab.module.css';
import type { LiveCheck } from './use-check.ts';
import type { DraftInHand } from './use-draft.ts';
import { type Traffic, useTraffic } from './use-traffic.ts';

const SHOWN = 100;

/** The rules to be written and put in order, beside the map of what they would decide. */
export function RulesTab({
  hand,
  live,
  check,
  mayWrite,
}: {
  hand: DraftInHand;
  live: LiveRouting;
  check: LiveCheck;
  mayWrite: boolean;
}) {
  const { document } = hand;
  const { accounts } = live;
  const [lit, setLit] = useState<string | null>(null);
  const [picked, setPicked] = useState<Cell | null>(null);
  const mapScope = useMapScope(document, accounts);
  const edit = useRuleEdits(hand, mayWrite, mapScope.currency, accounts);
  return (
    <div className={classes.columns}>
      <section aria-labelledby="draft-rules">
        <div className={classes.sectionHead}>
          <h2 id="draft-rules">{document.rules.length === 0 ? 'No rule yet' : 'In order: the first that fits decides'}</h2>
          {mayWrite && (
            <Action onClick={() => edit.add(null, 0)}>
              <IconPlus size={16} stroke={1.8} aria-hidden="true" />
              Add a rule
            </Action>
          )}
        </div>
        {document.rules.length === 0 && (
          <p className={classes.empty}>
            Every payment follows the default order below. A rule sends some of them elsewhere, such as card payments up to NGN
            5,000 to one account. Add one, or click a field of the map to write one for it.
          </p>
        )}
        <Rules hand={hand} live={live} check={check} mayWrite={mayWrite} edit={edit} lit={lit} onLight={setLit} />
        <DefaultOrderEditor hand={hand} accounts={accounts} notes={check.notes.ofDefaultOrder} mayWrite={mayWrite} />
      </section>
      <section className={classes.side} aria-labelledby="draft-map">
        <div className={classes.sectionHead}>
          <h2 id="draft-map">What decides where</h2>
        </div>
        <MapScope {...mapScope} />
        <CoverageMap
          document={document}
          accounts={accounts}
          currency={mapScope.currency}
          country={mapScope.country}
          lit={lit ?? edit.openId}
          onLight={setLit}
          picked={picked}
          onPick={(cell) => {
            if (mayWrite && cell.position === null) edit.add(cell, document.rules.length);
            else setPicked(cell);
          }}
          hint={
            mayWrite
              ? 'Point at a field to see what decides. Click one to write a rule for it.'
              : 'Point at a field to see what decides.'
          }
        />
        {picked !== null && (
          <div className={classes.here}>
            {picked.position !== null && (
              <Action onClick={() => edit.open(document.rules[picked.position ?? 0]?.ruleId ?? null)}>
                Open rule {picked.position + 1}
              </Action>
            )}
            {mayWrite && (
              <Action
                onClick={() => {
                  edit.add(picked, picked.position ?? document.rules.length);
                  setPicked(null);
                }}
              >
                New rule for {methodTitle(picked.method)}, {bandText(mapScope.currency, picked)}
              </Action>
            )}
          </div>
        )}
        <NoteList
          title={check.isBehind ? 'Checking' : check.check === null ? 'Checking' : 'Worth a look'}
          notes={check.notes.ofAll}
          onCover={
            mayWrite
              ? (gap) => edit.add({ method: gap.method, from: gap.from, to: gap.to }, document.rules.length, gap.currency)
              : undefined
          }
        />
      </section>
    </div>
  );
}

type RuleEdits = ReturnType<typeof useRuleEdits>;

/** What can be done to the list, each step with its way back. */
function useRuleEdits(hand: DraftInHand, mayWrite: boolean, currency: string, accounts: LiveRouting['accounts']) {
  const { draft, document, change } = hand;
  const [{ rule: openId, wish }, setAddress] = useQueryStates(draftParsers);
  const open = (ruleId: string | null) => void setAddress({ rule: ruleId });
  const ruleNumber = (ruleId: string) => document.rules.findIndex((rule) => rule.ruleId === ruleId) + 1;

  function add(cell: { method: string; from: number; to: number | null } | null, at: number, money = currency): void {
    const rule = newRule(wishFor(cell, money, document, accounts), cell === null ? '' : nameFor(cell));
    change(insertRule(document, rule, at), 'Adding a rule');
    open(rule.ruleId);
  }
  const granted = useRef(false);
  useEffect(() => {
    const wanted = wish === null || !mayWrite || granted.current ? null : readWish(wish);
    if (wanted === null) return;
    granted.current = true;
    const { currency: money, ...cell } = wanted;
    // Above the rule that decides there now; otherwise it would never decide.
    const rule = newRule(wishFor(cell, money, document, accounts), nameFor(cell));
    change(insertRule(document, rule, 0), 'Adding a rule');
    void setAddress({ wish: null, rule: rule.ruleId });
  }, [wish, mayWrite, document, accounts, change, setAddress]);

  return {
    openId,
    open,
    add,
    replace: (rule: Rule) => change(withRule(document, rule), `Changing ${rule.name || 'a rule'}`, `rule ${rule.ruleId}`),
    move(from: number, to: number) {
      const name = document.rules[from]?.name || 'a rule';
      change({ ...document, rules: moveInList(document.rules, from, to) }, `Moving ${name}`);
    },
    copy(rule: Rule) {
      const twin = { ...rule, ruleId: crypto.randomUUID(), name: `${rule.name} (copy)`.slice(0, 120) };
      change(insertRule(document, twin, ruleNumber(rule.ruleId)), `Copying ${rule.name}`);
      open(twin.ruleId);
    },
    remove(rule: Rule) {
      const at = ruleNumber(rule.ruleId) - 1;
      change(withoutRule(document, rule.ruleId), `Deleting ${rule.name || 'a rule'}`);
      open(null);
      const { draftId } = draft;
      const back = () => {
        const { current: open } = latest;
        if (open?.draft.draftId !== draftId) throw new Error('The draft is not open any more: open it and add the rule again.');
        open.change(insertRule(open.document, rule, at), `Bringing back ${rule.name || 'a rule'}`);
      };
      showToast({
        text: `Rule ${at + 1}, ${rule.name || 'without a name'}, was deleted from the draft.`,
        action: { label: 'Undo', run: back },
      });
    },
  };
}

/** The draft that is open, for messages that outlive what they were said of. */
const latest: { current: DraftInHand | null } = { current: null };

/** What a rule for a place on the map begins as: the account that is first there, and the others behind it. */
function wishFor(
  cell: { method: string; from: number; to: number | null } | null,
  currency: string,
  document: RuleDocument,
  accounts: LiveRouting['accounts'],
): RuleWish {
  const able = accounts.filter(
    ({ methods, enabled }) => enabled && (cell === null || methods.some((own) => own === cell.method)),
  );
  const inOrder = [...document.defaultOrder, ...accounts.map(({ accountId }) => accountId)];
  const known = [...new Set(inOrder)].filter((accountId) => able.some((account) => account.accountId === accountId));
  const place =
    cell === null ? { methods: ['CARD'], from: 0, to: null } : { methods: [cell.method], from: cell.from, to: cell.to };
  return { ruleId: crypto.randomUUID(), currency, ...place, countries: null, accounts: known };
}

function nameFor({ method, from, to }: { method: string; from: number; to: number | null }): string {
  const title = methodTitle(method);
  if (to === null) return from <= 1 ? title : `${title} from ${shortAmount(from)}`;
  return from <= 1 ? `${title} up to ${shortAmount(to)}` : `${title} ${shortAmount(from)} to ${shortAmount(to)}`;
}

function Rules({
  hand,
  live,
  check,
  mayWrite,
  edit,
  lit,
  onLight,
}: {
  hand: DraftInHand;
  live: LiveRouting;
  check: LiveCheck;
  mayWrite: boolean;
  edit: RuleEdits;
  lit: string | null;
  onLight: (ruleId: string | null) => void;
}) {
  const traffic = useTraffic();
  const [most, setMost] = useState(SHOWN);
  const { rules } = hand.document;
  useEffect(() => {
    latest.current = hand;
  }, [hand]);
  useEffect(
    () => () => {
      latest.current = null;
    },
    [],
  );
  const shown = rules.slice(0, most);
  const entry = (rule: Rule, position: number) => (
    <Entry
      key={rule.ruleId}
      rule={rule}
      position={position}
      live={live}
      check={check}
      traffic={traffic}
      mayWrite={mayWrite}
      edit={edit}
      count={rules.length}
      lit={lit}
      onLight={onLight}
    />
  );
  return (
    <>
      {mayWrite ? (
        <SortableList
          label="Rules"
          className={classes.list}
          entryClassName={classes.row}
          keys={shown.map(({ ruleId }) => ruleId)}
          nameOf={(ruleId) => {
            const at = rules.findIndex((rule) => rule.ruleId === ruleId);
            return `rule ${at + 1}, ${rules[at]?.name || 'without a name'}`;
          }}
          onMove={edit.move}
        >
          {(ruleId, position) => {
            const rule = shown[position]?.ruleId === ruleId ? shown[position] : shown.find((each) => each.ruleId === ruleId);
            return rule === undefined ? null : entry(rule, position);
          }}
        </SortableList>
      ) : (
        <ol className={classes.list} aria-label="Rules">
          {shown.map((rule, position) => (
            <li key={rule.ruleId} className={classes.row}>
              {entry(rule, position)}
            </li>
          ))}
        </ol>
      )}
      {rules.length > most && (
        <div className={classes.more}>
          <Action onClick={() => setMost(most + SHOWN)}>
            Show {Math.min(SHOWN, rules.length - most)} more of {rules.length}
          </Action>
        </div>
      )}
    </>
  );
}

function Entry({
  rule,
  position,
  live,
  check,
  traffic,
  mayWrite,
  edit,
  count,
  lit,
  onLight,
}: {
  rule: Rule;
  position: number;
  live: LiveRouting;
  check: LiveCheck;
  traffic: Traffic;
  mayWrite: boolean;
  edit: RuleEdits;
  count: number;
  lit: string | null;
  onLight: (ruleId: string | null) => void;
}) {
  const isOpen = edit.openId === rule.ruleId;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isOpen) place.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  const notes = check.notes.byRule.get(position) ?? [];
  return (
    <div
      ref={place}
      className={classes.entry}
      data-lit={rule.ruleId === lit}
      data-open={isOpen}
      onPointerEnter={() => onLight(rule.ruleId)}
      onPointerLeave={() => onLight(null)}
    >
      <button
        type="button"
        className={classes.head}
        aria-expanded={isOpen}
        onClick={() => edit.open(isOpen ? null : rule.ruleId)}
      >
        <span className={classes.number} data-off={!rule.enabled}>
          {position + 1}
        </span>
        <RuleSummary rule={rule} accounts={live.accounts} />
        <span className={classes.gap} />
        <NoteMark severity={gravest(notes.filter(({ severity }) => severity !== 'info'))} count={notes.length} />
        <Share traffic={traffic} ruleId={rule.ruleId} />
      </button>
      {isOpen && (
        <RuleEditor
          rule={rule}
          position={position}
          count={count}
          accounts={live.accounts}
          notes={notes}
          mayWrite={mayWrite}
          onChange={edit.replace}
          onMove={(to) => edit.move(position, to)}
          onCopy={() => edit.copy(rule)}
          onRemove={() => edit.remove(rule)}
        />
      )}
    </div>
  );
}
