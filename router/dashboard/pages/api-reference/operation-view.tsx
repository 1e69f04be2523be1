/** One operation: what it does and takes at the left, and examples at the right where there is room. */
import type { ReactNode } from 'react';
import { CopyButton } from '../../parts/copy.tsx';
import { type Caller, curlOf } from './curl.ts';
import type { Media, OpenApi, Parameter } from './document.ts';
import { Endpoint } from './endpoint.tsx';
import { ErrorList } from './error-list.tsx';
import { FieldList } from './field-list.tsx';
import { type Field, fieldOfParameter, fieldsOf, typeOf } from './fields.ts';
import { BASE, type Operation, type OperationResponse } from './operations.ts';
import { Prose } from './prose.tsx';
import { Sample } from './sample.tsx';
import { WhoMayCall } from './who-may-call.tsx';

type OperationViewProps = Readonly<{
  operation: Operation;
  document: OpenApi;
  caller: Caller;
  /** Whether the reader is shown what concerns operators alone. */
  showsOperators: boolean;
}>;

export function OperationView(props: OperationViewProps) {
  const { operation, document, caller, showsOperators } = props;
  const { id, method, title, path, paragraphs, permission, body, responses } = operation;
  const given = (place: Parameter['in']) =>
    operation.parameters
      .filter((one) => one.in === place)
      .map((one) => fieldOfParameter(one, document));
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="scroll-mt-[calc(var(--header)+1rem)] border-t pt-8 pb-10"
    >
      <h2 id={`${id}-title`} className="text-lg font-semibold tracking-tight">
        <a href={`#${id}`} className="hover:after:text-muted hover:after:content-['_#']">
          {title}
        </a>
      </h2>
      <div className="mt-1.5 flex items-start gap-1">
        <Endpoint operation={operation} base={BASE} />
        <span className="-my-1">
          <CopyButton text={BASE + path} what="the path" />
        </span>
      </div>
      <div className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-6 @4xl:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-5">
          {paragraphs.map((text) => (
            <p key={text} className="text-sm">
              <Prose text={text} />
            </p>
          ))}
          <p className="text-sm">
            <span className="font-medium">Who may call it: </span>
            <WhoMayCall
              permission={permission}
              isRead={method === 'GET'}
              showsOperators={showsOperators}
            />
          </p>
          <Part title="Path parameters" fields={given('path')} />
          <Part title="Query parameters" fields={given('query')} />
          <Part title="Headers" fields={given('header')} />
          {body && <Part title="Body" fields={fieldsOf(body.schema, document)} />}
          {responses.map((response) => (
            <Response key={response.status} response={response} document={document} />
          ))}
          <ErrorList errors={operation.errors} />
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4 self-start @4xl:sticky @4xl:top-[calc(var(--header)+1.5rem)]">
          <Sample title="Request" what={`the request: ${title}`} code={curlOf(operation, caller)} />
          {responses.map(({ status, content }) => (
            <Example
              key={status}
              status={status}
              title={title}
              media={content['application/json']}
            />
          ))}
        </div>
      </div>
    </section>
  );
}

type PartProps = Readonly<{
  title: string;
  note?: ReactNode;
  fields: readonly Field[];
  isAnswer?: boolean;
}>;

function Part({ title, note, fields, isAnswer = false }: PartProps) {
  if (fields.length === 0 && note === undefined) return null;
  return (
    // A group, because a landmark for each part of each operation would bury those of the page.
    <div role="group" aria-label={title}>
      <h3 className="text-sm font-semibold">{title}</h3>
      {note !== undefined && <p className="mt-0.5 text-sm text-muted">{note}</p>}
      {fields.length > 0 &&
        (isAnswer ? (
          <AnswerFields fields={fields} />
        ) : (
          <div className="mt-1.5 border-t">
            <FieldList fields={fields} />
          </div>
        ))}
    </div>
  );
}

/** So many fields are named before they are opened. */
const NAMED_MAX = 5;

/**
 * The fields of an answer, which open on request: the example beside them shows them, and most
 * operations of a group have the same.
 */
function AnswerFields({ fields }: { fields: readonly Field[] }) {
  const names = fields.slice(0, NAMED_MAX).map(({ name }) => name);
  return (
    <details className="mt-1.5 text-sm">
      <summary className="w-max max-w-full rounded">
        {fields.length === 1 ? '1 field' : `${fields.length} fields`}{' '}
        <span className="text-xs wrap-anywhere text-muted">
          {names.join(', ')}
          {fields.length > NAMED_MAX && ', …'}
        </span>
      </summary>
      <div className="mt-1.5 border-t">
        <FieldList fields={fields} isAnswer />
      </div>
    </details>
  );
}

type ResponseProps = Readonly<{ response: OperationResponse; document: OpenApi }>;

function Response({ response: { status, description, content }, document }: ResponseProps) {
  const schema = content['application/json']?.schema;
  const types = Object.keys(content).filter((type) => type !== 'application/json');
  const others = new Intl.ListFormat('en', { type: 'disjunction' }).format(types);
  const isList = schema !== undefined && typeOf(schema, document).startsWith('list of');
  return (
    <Part
      title={`Response ${status}`}
      note={
        <>
          <Prose text={description} />
          {isList && ' A list of objects:'}
          {types.length > 0 && (schema ? ` Also as ${others}.` : ` As ${others}.`)}
        </>
      }
      fields={schema ? fieldsOf(schema, document) : []}
      isAnswer
    />
  );
}

type ExampleProps = Readonly<{ status: string; title: string; media: Media | undefined }>;

function Example({ status, title, media }: ExampleProps) {
  if (media?.example === undefined) return null;
  return (
    <Sample
      title={`Response ${status}`}
      what={`the response: ${title}`}
      code={JSON.stringify(media.example, null, 2)}
    />
  );
}
