/**
 * The script of the API browser: it regroups the document for readers, and starts Swagger UI.
 * Signed-in people try calls with their session. Others enter a token, which is not stored. The
 * operations of operators are shown to operators, and to whoever adds `?operators` to the address.
 */
import { GROUPS, OPERATOR_GROUPS } from './page-groups.ts';

/** The dashboard stores the id of the organization shown last under this name (`session.tsx`). */
const LAST_ORGANIZATION = 'organization';

export const START_SCRIPT = `
const root = document.documentElement;
root.classList.toggle('dark-mode', root.dataset.theme === 'dark');
for (const place of document.querySelectorAll('[data-origin]')) {
  place.textContent = place.textContent.replace('ORIGIN', location.origin);
}

const GROUPS = ${JSON.stringify(GROUPS)};
const OPERATOR_GROUPS = ${JSON.stringify(OPERATOR_GROUPS)};

const json = async (path) => {
  const answer = await fetch(path);
  return answer.ok ? await answer.json() : null;
};

function lastOrganization() {
  try {
    return localStorage.getItem('${LAST_ORGANIZATION}');
  } catch {
    return null;
  }
}

function groupOf({ tags: [tag], 'x-permission': permission }) {
  const groups = permission === 'operator' ? OPERATOR_GROUPS : GROUPS;
  return (groups.find(({ tags }) => tags.includes(tag)) ?? groups.at(-1)).name;
}

function regroup(spec, organization, showsOperators) {
  const used = new Set();
  for (const [path, operations] of Object.entries(spec.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      if (operation['x-permission'] === 'operator' && !showsOperators) {
        delete operations[method];
        continue;
      }
      const group = groupOf(operation);
      used.add(group);
      operation.tags = [group];
      for (const parameter of operation.parameters ?? []) {
        // Swagger UI would fill in the examples, and send them.
        if (!parameter.required) {
          delete parameter.example;
          delete parameter.examples;
          delete parameter.schema.examples;
        }
        if (organization && parameter.in === 'path' && parameter.name === 'organization') {
          parameter.example = organization;
        }
      }
    }
    if (Object.keys(operations).length === 0) delete spec.paths[path];
  }
  spec.tags = [...GROUPS, ...OPERATOR_GROUPS].filter(({ name }) => used.has(name));
  spec.info.description = '';
  return spec;
}

/** Keeps the operations whose path, method or summary contains the text. */
function filtered(groups, text) {
  const wanted = text.toLowerCase();
  const has = (group, one) =>
    [group, one.get('method'), one.get('path'), one.getIn(['operation', 'summary'], '')]
      .join(' ').toLowerCase().includes(wanted);
  return groups
    .map((group, name) => group.update('operations', (all) => all.filter((one) => has(name, one))))
    .filter((group) => group.get('operations').size > 0);
}

const [spec, me] = await Promise.all([
  json('/api/openapi.json'),
  root.dataset.session === 'present' ? json('/api/v1/me') : null,
]);
const organizations = me?.organizations ?? [];
const organization =
  (organizations.find(({ id }) => id === lastOrganization()) ?? organizations[0])?.id ?? null;
if (organization) {
  for (const place of document.querySelectorAll('[data-origin]')) {
    place.textContent = place.textContent.replace('ORGANIZATION_ID', organization);
  }
}
const isOperator = me?.operator === true || new URLSearchParams(location.search).has('operators');
new MutationObserver((_, observer) => {
  const field = document.querySelector('.operation-filter-input');
  if (!field) return;
  observer.disconnect();
  field.setAttribute('placeholder', 'Filter operations');
}).observe(document.querySelector('#ui'), { childList: true, subtree: true });
window.ui = SwaggerUIBundle({
  spec: regroup(spec, organization, isOperator),
  dom_id: '#ui',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  filter: true,
  plugins: [{ fn: { opsFilter: filtered } }],
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;
