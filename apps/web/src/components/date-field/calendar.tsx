'use client';

import { IconCalendar } from '@tabler/icons-react';
import { DayPicker } from 'react-day-picker';
import 'react-day-picker/style.css';
import { isDay } from '#/format/calendar.ts';
import { Popup } from '../popup/popup.tsx';
import classes from './date-field.module.css';

const LABELS = { labelPrevious: () => 'Previous month', labelNext: () => 'Next month' };
const MONDAY = 1;

/** Opens a calendar beside the field of a day. The focus is in the calendar while it is open. */
export function CalendarButton({
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
        className: classes.calendarButton,
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
          defaultMonth={selected ?? last ?? new Date()}
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
