/** The parts of the address of a model's page. Ids consist of a namespace, a slash and a name. */
export function modelParams(id: string): Readonly<{ namespace: string; name: string }> {
  const [namespace = '', name = ''] = id.split('/');
  return { namespace, name };
}
