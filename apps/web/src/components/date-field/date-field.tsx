'use client';

import { IconCalendar } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { DayPicker } from 'react-day-picker';
import { serverNow } from '#/clock/server-clock.ts';
import { viewerZone } from '#/format/zone.ts';
import field from '../field/field.module.css';
import { FieldNote } from '../field/field.tsx';
import classes from './date-field.module.css';
import { readDay, readTime, showDay } from './date-text.ts';
import 'react-day-picker/style.css';
import { isDay } from '#/format/calendar.ts';
import { Popup } from '../popup/popup.tsx';

const UNREADABLE_DAY = 'is not a date that can be read: write it as 23 Nov 2026';
const UNREADABLE_TIME = 'is not a time: write it as 14:30';

interface DayProps {
  readonly label: string;
  /** `2026-11-23`, or empty. */
  readonly value: string;
  readonly onChange: (day: string) => void;
  readonly onBlur?: () => void;
  /** First and last day that can be chosen. */
  readonly min?: string;
  readonly max?: string;
  /** The error, as a sentence without its subject: `must not be empty`. */
  readonly error?: string | null;
  readonly description?: ReactNode;
  readonly disabled?: boolean;
}

/**
 * A day, typed or chosen from a calendar. It reads `23 Nov 2026` everywhere, so that day and month are not taken for each other;
 * the zone the day is meant in is named with it.
 *
 * @public
 */
export function DateField({ zone = viewerZone(), ...props }: DayProps & { zone?: string }) {
  const description = props.description ?? `Time zone: ${zone}`;
  return <DayInput {...props} description={description} />;
}

function DayInput({ label, value, onChange, onBlur, min, max, error = null, description, disabled = false }: DayProps) {
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const [isUnreadable, setIsUnreadable] = useState(false);
  const wrong = isUnreadable ? UNREADABLE_DAY : error;

  function type(text: string) {
    setDraft(text);
    const day = text.trim() === '' ? '' : readDay(text);
    if (day === null) return;
    setIsUnreadable(false);
    onChange(day);
  }

  function leave() {
    if (draft !== null && draft.trim() !== '' && readDay(draft) === null) setIsUnreadable(true);
    else setDraft(null);
    onBlur?.();
  }

  return (
    <div className={field.field} data-wrong={wrong !== null}>
      <label htmlFor={id} className={field.label}>
        {label}
      </label>
      <div className="relative flex min-w-0 [&>input]:pr-9.5">
        <input
          id={id}
          className={field.input}
          value={draft ?? showDay(value)}
          placeholder="e.g. 23 Nov 2026"
          autoComplete="off"
          spellCheck={false}
          disabled={disabled}
          aria-invalid={wrong !== null}
          aria-describedby={`${id}-about`}
          onChange={(event) => type(event.currentTarget.value)}
          onBlur={leave}
        />
        <CalendarButton
          label={label}
          value={value}
          min={min}
          max={max}
          disabled={disabled}
          onChoose={(day) => {
            setDraft(null);
            setIsUnreadable(false);
            onChange(day);
          }}
        />
      </div>
      <FieldNote id={id} error={wrong} description={description} />
    </div>
  );
}

/** A period of whole days, both ends inclusive; the zone the days are meant in is named below. Either end may be empty. */
export function DateRangeField({
  from,
  to,
  onChange,
  labels = ['From', 'To'],
  min,
  max,
  zone = viewerZone(),
}: {
  from: string;
  to: string;
  onChange: (period: { from: string; to: string }) => void;
  labels?: readonly [from: string, to: string];
  min?: string;
  max?: string;
  zone?: string;
}) {
  const isReversed = from !== '' && to !== '' && from > to;
  return (
    <div className="grid gap-1">
      <div className="grid grid-cols-[repeat(2,minmax(130px,1fr))] gap-2">
        <DayInput
          label={labels[0]}
          value={from}
          onChange={(day) => onChange({ from: day, to })}
          {...(min !== undefined && { min })}
          {...(max !== undefined && { max })}
        />
        <DayInput
          label={labels[1]}
          value={to}
          onChange={(day) => onChange({ from, to: day })}
          {...(min !== undefined && { min })}
          {...(max !== undefined && { max })}
          error={isReversed ? 'is before the first day' : null}
        />
      </div>
      <p className="text-ink-faint text-xs">Time zone: {zone}</p>
    </div>
  );
}

/** A moment, as what the clocks of a zone show: `2026-11-23T14:30`, or empty. The zone is named below. */
export function DateTimeField({
  label,
  value,
  onChange,
  onBlur,
  min,
  max,
  error = null,
  zone = viewerZone(),
  disabled = false,
}: DayProps & { zone?: string }) {
  const id = useId();
  const [day = '', time = ''] = value.split('T');
  const change = (nextDay: string, nextTime: string) =>
    onChange(nextDay === '' ? '' : `${nextDay}T${nextTime === '' ? '00:00' : nextTime}`);
  return (
    <fieldset className="grid gap-1 min-w-0 m-0 p-0 border-0" disabled={disabled} aria-describedby={`${id}-about`}>
      <legend className={field.label}>{label}</legend>
      <div className="flex flex-wrap gap-2 [&>*]:flex-[0_1_160px]">
        <DayInput
          label="Date"
          value={day}
          onChange={(next) => change(next, time)}
          {...(min !== undefined && { min: min.slice(0, 10) })}
          {...(max !== undefined && { max: max.slice(0, 10) })}
        />
        <TimeField label="Time" value={time} onChange={(next) => change(day, next)} {...(onBlur !== undefined && { onBlur })} />
      </div>
      <FieldNote id={id} error={error} description={`Time zone: ${zone}`} />
    </fieldset>
  );
}

/** A time of day, `14:30`, the same on every machine: a browser's own field may show it with AM and PM. */
export function TimeField({
  label,
  value,
  onChange,
  onBlur,
  error = null,
  description,
}: Pick<DayProps, 'label' | 'value' | 'onBlur' | 'error' | 'description'> & { onChange: (time: string) => void }) {
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const [isUnreadable, setIsUnreadable] = useState(false);
  const wrong = isUnreadable ? UNREADABLE_TIME : error;

  function type(text: string) {
    setDraft(text);
    if (!/^\d{2}:\d{2}$/.test(text) || readTime(text) === null) return;
    setIsUnreadable(false);
    onChange(text);
  }

  function leave() {
    const read = draft === null ? value : readTime(draft);
    setIsUnreadable(read === null);
    if (read !== null) {
      setDraft(null);
      if (read !== value) onChange(read);
    }
    onBlur?.();
  }

  return (
    <div className={field.field} data-wrong={wrong !== null}>
      <label htmlFor={id} className={field.label}>
        {label}
      </label>
      <input
        id={id}
        className={`${field.input} w-21 tabular-nums`}
        value={draft ?? value}
        placeholder="hh:mm"
        autoComplete="off"
        inputMode="numeric"
        aria-invalid={wrong !== null}
        aria-describedby={`${id}-about`}
        onChange={(event) => type(event.currentTarget.value)}
        onBlur={leave}
      />
      <FieldNote id={id} error={wrong} description={description} />
    </div>
  );
}

const LABELS = { labelPrevious: () => 'Previous month', labelNext: () => 'Next month' };
const MONDAY = 1;

/** Opens a calendar beside the field of a day. The focus is in the calendar while it is open. */
function CalendarButton({
  label,
  value,
  min,
  max,
  disabled,
  onChoose,
}: {
  label: string;
  value: string;
  min: string | undefined;
  max: string | undefined;
  disabled: boolean;
  onChoose: (day: string) => void;
}) {
  const selected = toDate(value);
  const first = toDate(min);
  const last = toDate(max);
  return (
    <Popup
      label={`Calendar: ${label}`}
      align="end"
      button={{
        className: 'icon-button absolute top-0.5 right-0.5 size-8 rounded-sm text-ink-faint',
        disabled,
        'aria-label': `Choose ${label} from a calendar`,
        children: <IconCalendar size={16} stroke={1.7} aria-hidden="true" />,
      }}
      content={(close) => (
        <DayPicker
          mode="single"
          required
          autoFocus
          selected={selected}
          defaultMonth={selected ?? last ?? new Date(serverNow())}
          {...(first !== undefined && { startMonth: first })}
          {...(last !== undefined && { endMonth: last })}
          disabled={[...(first === undefined ? [] : [{ before: first }]), ...(last === undefined ? [] : [{ after: last }])]}
          weekStartsOn={MONDAY}
          labels={LABELS}
          className={classes.calendar ?? ''}
          onSelect={(date) => {
            onChoose(toDay(date));
            close();
          }}
        />
      )}
    />
  );
}

/** A day `2026-11-23` as the local midnight that the calendar counts in; undefined for other text. */
function toDate(day: string | undefined): Date | undefined {
  if (day === undefined || !isDay(day)) return undefined;
  const [year, month, date] = day.split('-').map(Number);
  return new Date(year ?? 0, (month ?? 1) - 1, date);
}

function toDay(date: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
