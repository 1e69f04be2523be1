/** Says which base URL and which API key the examples use, and lets the person choose the key. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CopyButton } from '../../parts/copy.tsx';
import { Select } from '../../parts/form/field.tsx';
import { Code } from '../../parts/shown.tsx';
import { LINK } from '../people/visitor-frame.tsx';
import { KEY_VARIABLE, NO_URL } from '../keys/snippets.ts';
import { type Reader, useReader } from './reader.tsx';

export function ReaderBar() {
  const reader = useReader();
  return (
    <section
      aria-label="Your values in the examples"
      className="grid gap-2 rounded-lg border bg-panel px-4 py-3 text-sm"
    >
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <Value name="Base URL">
          <Code>{reader.baseUrl}</Code>
          <CopyButton text={reader.baseUrl} what="the base URL" />
        </Value>
        {reader.key !== null && (
          <Value name="API key">
            <Select
              aria-label="API key"
              className="max-w-52"
              value={reader.key.id}
              onChange={({ target }) => reader.onChooseKey(target.value)}
            >
              {reader.keys.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </Value>
        )}
      </div>
      <p className="text-xs text-muted">
        <Note reader={reader} />
      </p>
    </section>
  );
}

function Value({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 items-center gap-2">
      <span className="shrink-0 text-muted">{name}</span>
      {children}
    </div>
  );
}

function Note({ reader: { organization, baseUrl, key } }: { reader: Reader }) {
  if (organization === null) {
    return (
      <>
        <Link to="/sign-in" search={{ next: location.pathname }} className={LINK}>
          Sign in
        </Link>{' '}
        to see the examples with the base URL of your organization and its models.
      </>
    );
  }
  if (baseUrl === NO_URL) {
    return (
      <>The base URL of the region of {organization.name} is not known here. Ask support for it.</>
    );
  }
  if (key === null) {
    return (
      <>
        {organization.name} has no active API key.{' '}
        <Link to="/$organization/keys" params={{ organization: organization.id }} className={LINK}>
          Create one
        </Link>
        , and set <Code>{KEY_VARIABLE}</Code> to its value.
      </>
    );
  }
  return (
    <>
      Set <Code>{KEY_VARIABLE}</Code> to the value of “{key.name}” of {organization.name}:{' '}
      <span className="sm:whitespace-nowrap">
        <Code>{key.label}</Code>
      </span>
      {key.allowed_models &&
        '. It may call only some models: an example names another only where none of these can do it.'}
    </>
  );
}
