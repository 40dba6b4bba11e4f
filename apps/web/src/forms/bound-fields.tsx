'use client';

import { IconEye, IconEyeOff } from '@tabler/icons-react';
import dynamic from 'next/dynamic';
import {
  type ChangeEvent,
  type ComponentProps,
  createContext,
  type ReactNode,
  use,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { type FieldPath, type FieldPathValue, type FieldValues, useController, useFormContext } from 'react-hook-form';
import type {
  DateField as DateControl,
  DateTimeField as DateTimeControl,
  TimeField as TimeControl,
} from '../components/date-field/date-field.tsx';
import { AreaField, Checkbox, CheckboxGroup, type Choice, TextField } from '../components/field/field.tsx';
import { NumberField } from '../components/number-field/number-field.tsx';
import { RadioGroup } from '../components/radio-group/radio-group.tsx';
import { SegmentedControl } from '../components/segmented-control/segmented-control.tsx';
import type { SelectOption } from '../components/select/list-parts.tsx';
import { messageIn } from './problems.ts';

// Apart from the others, so that a page whose form has none of them does not load lists and calendars.
const Select = dynamic(() => import('../components/select/select.tsx').then((module) => module.Select<string>));
const DateField = dynamic(() => import('../components/date-field/date-field.tsx').then((module) => module.DateField));
const DateTimeField = dynamic(() => import('../components/date-field/date-field.tsx').then((module) => module.DateTimeField));
const TimeField = dynamic(() => import('../components/date-field/date-field.tsx').then((module) => module.TimeField));

/** The fields of a form that are in sight, each with what shows a problem beside it. */
export type FieldsInSight = Map<string, (message: string) => void>;

/** The fields in sight of the form around, as `Form` reports them. */
export const FieldsInSightContext = createContext<FieldsInSight>(new Map());

/** Paths of what is entered whose values are text of any kind. */
type TextName<Entered extends FieldValues> = {
  [Name in FieldPath<Entered>]: string extends FieldPathValue<Entered, Name> ? Name : never;
}[FieldPath<Entered>];

/** Paths whose values are one of some, or none yet. */
type ChoiceName<Entered extends FieldValues> = {
  [Name in FieldPath<Entered>]: FieldPathValue<Entered, Name> extends string | null ? Name : never;
}[FieldPath<Entered>];

/** Paths whose values are any number of some. */
type ChoicesName<Entered extends FieldValues> = {
  [Name in FieldPath<Entered>]: FieldPathValue<Entered, Name> extends readonly string[] ? Name : never;
}[FieldPath<Entered>];

/** Paths whose values are on or off. */
type SwitchName<Entered extends FieldValues> = {
  [Name in FieldPath<Entered>]: FieldPathValue<Entered, Name> extends boolean ? Name : never;
}[FieldPath<Entered>];

type ChoiceAt<Entered extends FieldValues, Name extends FieldPath<Entered>> = Extract<FieldPathValue<Entered, Name>, string>;
type ChoicesAt<Entered extends FieldValues, Name extends FieldPath<Entered>> =
  FieldPathValue<Entered, Name> extends readonly (infer Value extends string)[] ? Value : never;

/** A control's properties, without those that the form gives it. */
type Unbound<Props> = Omit<Props, 'name' | 'value' | 'checked' | 'onChange' | 'onBlur' | 'error' | 'ref'>;
type TextProps = Unbound<ComponentProps<typeof TextField>>;
type SecretProps = Unbound<ComponentProps<typeof SecretField>>;
/** `onChange` is called with the text after it has changed, for where it is kept besides. */
type AreaProps = Unbound<ComponentProps<typeof AreaField>> & { readonly onChange?: (text: string) => void };
type NumberProps = Unbound<ComponentProps<typeof NumberField>>;
type DateProps = Unbound<ComponentProps<typeof DateControl>>;
type DateTimeProps = Unbound<ComponentProps<typeof DateTimeControl>>;
type TimeProps = Unbound<ComponentProps<typeof TimeControl>>;
type CheckboxProps = Unbound<ComponentProps<typeof Checkbox>>;

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly choices: readonly Choice<Value>[];
  /** Called after the value has changed, for what follows from the choice. */
  readonly onChange?: () => void;
}

interface SelectProps<Value extends string> {
  readonly label: string;
  readonly labelPlace?: 'above' | 'inside' | 'hidden';
  readonly options: readonly SelectOption<Value>[];
  readonly placeholder?: string;
  readonly description?: ReactNode;
}

/**
 * The controls, bound to the values of a form by name. A name of a value of another type, or an option that the value cannot have,
 * is an error of types.
 */
export interface FieldsOf<Entered extends FieldValues> {
  /** A line of text. */
  readonly Text: (props: TextProps & { name: TextName<Entered> }) => ReactNode;
  /** A password or secret that can be revealed. */
  readonly Secret: (props: SecretProps & { name: TextName<Entered> }) => ReactNode;
  /** Several lines of text. */
  readonly Area: (props: AreaProps & { name: TextName<Entered> }) => ReactNode;
  /** A number or an amount, held as an exact decimal in text. */
  readonly Number: (props: NumberProps & { name: TextName<Entered> }) => ReactNode;
  /** A day, `2026-11-23`. */
  readonly Date: (props: DateProps & { name: TextName<Entered> }) => ReactNode;
  /** A day and a time of it, `2026-11-23T14:30`. */
  readonly DateTime: (props: DateTimeProps & { name: TextName<Entered> }) => ReactNode;
  /** A time of day, `14:30`. */
  readonly Time: (props: TimeProps & { name: TextName<Entered> }) => ReactNode;
  /** One thing that is on or off. */
  readonly Checkbox: (props: CheckboxProps & { name: SwitchName<Entered> }) => ReactNode;
  /** Any number of a few. */
  readonly Checkboxes: <Name extends ChoicesName<Entered>>(
    props: ChoiceProps<ChoicesAt<Entered, Name>> & { name: Name },
  ) => ReactNode;
  /** One of a few, all of them seen. */
  readonly Radio: <Name extends ChoiceName<Entered>>(props: ChoiceProps<ChoiceAt<Entered, Name>> & { name: Name }) => ReactNode;
  /** One of a few, in a row. */
  readonly Segmented: <Name extends ChoiceName<Entered>>(
    props: ChoiceProps<ChoiceAt<Entered, Name>> & { name: Name },
  ) => ReactNode;
  /** One of several; with a search where there are many. */
  readonly Select: <Name extends ChoiceName<Entered>>(props: SelectProps<ChoiceAt<Entered, Name>> & { name: Name }) => ReactNode;
}

interface Named {
  readonly name: string;
}

/** The controls of every form; `useForm` narrows their names to those of its values. */
export const BOUND_FIELDS = {
  Text({ name, ...props }: TextProps & Named) {
    return <TextField {...props} {...useBoundInput(name)} />;
  },
  Secret({ name, ...props }: SecretProps & Named) {
    return <SecretField {...props} {...useBoundInput(name)} />;
  },
  Area({ name, onChange, ...props }: AreaProps & Named) {
    return <AreaField {...props} {...useBoundInput(name, onChange)} />;
  },
  Number({ name, ...props }: NumberProps & Named) {
    const { text, error, change, leave } = useBound(name);
    return <NumberField {...props} value={text} error={error} onChange={change} onBlur={leave} />;
  },
  Date({ name, ...props }: DateProps & Named) {
    const { text, error, change, leave } = useBound(name);
    return <DateField {...props} value={text} error={error} onChange={change} onBlur={leave} />;
  },
  DateTime({ name, ...props }: DateTimeProps & Named) {
    const { text, error, change, leave } = useBound(name);
    return <DateTimeField {...props} value={text} error={error} onChange={change} onBlur={leave} />;
  },
  Time({ name, ...props }: TimeProps & Named) {
    const { text, error, change, leave } = useBound(name);
    return <TimeField {...props} value={text} error={error} onChange={change} onBlur={leave} />;
  },
  Checkbox({ name, ...props }: CheckboxProps & Named) {
    const { value, change } = useBound(name);
    return <Checkbox {...props} checked={value === true} onChange={change} />;
  },
  Checkboxes({ name, onChange, ...props }: ChoiceProps<string> & Named) {
    const { value, error, change } = useBound(name, onChange);
    return <CheckboxGroup {...props} values={textsIn(value)} error={error} onChange={change} />;
  },
  Radio({ name, onChange, ...props }: ChoiceProps<string> & Named) {
    const { value, text, error, change } = useBound(name, onChange);
    return <RadioGroup {...props} value={value === null ? null : text} error={error} onChange={change} />;
  },
  Segmented({ name, onChange, ...props }: ChoiceProps<string> & Named) {
    const { text, change } = useBound(name, onChange);
    return <SegmentedControl {...props} value={text} onChange={change} />;
  },
  Select({ name, ...props }: SelectProps<string> & Named) {
    const { value, text, error, change, leave } = useBound(name);
    return <Select {...props} value={value === null ? null : text} error={error} onChange={change} onBlur={leave} />;
  },
};

/** Properties of an element that people type into. */
function useBoundInput(name: string, onType?: (text: string) => void) {
  const { text, error, change, leave } = useBound(name);
  function onChange({ currentTarget: { value } }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) {
    change(value);
    onType?.(value);
  }
  return { name, value: text, error, onChange, onBlur: leave };
}

/** The value of a field and what is wrong with it. A change takes the problem away; leaving it after a change validates it. */
function useBound(name: string, onChange?: () => void) {
  const { setError, clearErrors, trigger } = useFormContext();
  const { field, fieldState } = useController({ name });
  const value: unknown = field.value;
  const error = messageIn(fieldState.error);
  const isEdited = useRef(false);
  useInSight(name, (message) => setError(name, { type: 'refused', message }));
  return {
    value,
    text: typeof value === 'string' ? value : '',
    error,
    change(next: unknown) {
      isEdited.current = true;
      field.onChange(next);
      onChange?.();
      clearErrors([name, 'root']);
    },
    leave() {
      if (isEdited.current) void trigger(name);
    },
  };
}

function useInSight(name: string, show: (message: string) => void): void {
  const inSight = use(FieldsInSightContext);
  const showProblem = useEffectEvent(show);
  useLayoutEffect(() => {
    inSight.set(name, (message) => showProblem(message));
    return () => void inSight.delete(name);
  }, [inSight, name]);
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}

/** A password field, hidden until the user reveals it. */
function SecretField({
  label,
  error = null,
  description,
  ...input
}: { label: string; error?: string | null; description?: string } & Omit<ComponentProps<'input'>, 'className' | 'id' | 'type'>) {
  const id = useId();
  const [shown, setShown] = useState(false);
  const Glyph = shown ? IconEyeOff : IconEye;
  return (
    <div className="grid gap-1 [&_label]:text-ink-quiet [&_label]:text-xs [&_label]:font-medium">
      <label htmlFor={id}>{label}</label>
      <div className="relative">
        <input
          className="text-box h-9 pr-10"
          spellCheck={false}
          autoCapitalize="off"
          {...input}
          id={id}
          type={shown ? 'text' : 'password'}
          aria-invalid={error !== null}
          aria-describedby={`${id}-about`}
        />
        <button
          type="button"
          className="absolute top-0.5 right-0.5 grid place-items-center w-8 h-8 rounded-sm text-ink-faint hover:bg-ground-hover hover:text-ink"
          onClick={() => setShown(!shown)}
          aria-label="Show the password"
          aria-pressed={shown}
        >
          <Glyph size={16} stroke={1.7} aria-hidden="true" />
        </button>
      </div>
      <p
        id={`${id}-about`}
        className="text-ink-faint text-xs leading-[1.4] empty:hidden data-[wrong=true]:text-bad-ink"
        data-wrong={error !== null}
        aria-live="polite"
      >
        {error === null ? description : `${error.charAt(0).toUpperCase()}${error.slice(1)}.`}
      </p>
    </div>
  );
}
