/** The names of the OpenAPI document's components. */
import { expect, test } from 'vitest';
import { type JsonSchema, tidyComponents } from '../../../../router/control/openapi/schemas.ts';

const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const forms = { Key: { type: 'string' }, KeyInput: { type: 'number' }, Unused: {} };

test('a schema that only clients send has its plain name', () => {
  const tidied = tidyComponents({ body: to('KeyInput'), components: { schemas: forms } });
  expect(tidied).toEqual({ body: to('Key'), components: { schemas: { Key: { type: 'number' } } } });
});

test('a schema that is sent and answered has a component for each, however deep it is used', () => {
  const { Key, KeyInput } = forms;
  const schemas = { ...forms, Keys: { items: to('Key') } };
  const tidied = tidyComponents({ all: [to('KeyInput'), to('Keys')], components: { schemas } });
  expect(tidied.all).toEqual([to('KeyInput'), to('Keys')]);
  expect(tidied.components.schemas).toEqual({ Key, KeyInput, Keys: schemas.Keys });
});

test('keywords that say nothing new are left out', () => {
  const schema = (field: JsonSchema) => ({ properties: { field } });
  const bounds = schema({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
  const schemas = {
    Count: bounds,
    SentInput: bounds,
    Day: schema({ format: 'date', pattern: '^' }),
  };
  const tidied = tidyComponents({
    all: [to('Count'), to('SentInput'), to('Day')],
    components: { schemas },
  });
  expect(tidied.components.schemas).toEqual({
    Count: schema({ type: 'integer', minimum: 1 }),
    Sent: bounds,
    Day: schema({ format: 'date' }),
  });
});
