/** Answers to a call that no proper server gives; "@ID@" stands for the id of the call. */
export const HOSTILE_ANSWERS: Readonly<Record<string, string>> = {
  'an object as error message': '{"jsonrpc":"2.0","id":@ID@,"error":{"code":1,"message":{"toString":1,"valueOf":1}}}',
  'a list as error message': '{"jsonrpc":"2.0","id":@ID@,"error":{"code":1,"message":[["x"]]}}',
  'an object as error code': '{"jsonrpc":"2.0","id":@ID@,"error":{"code":{"toString":1},"message":"no"}}',
  'a text as error': '{"jsonrpc":"2.0","id":@ID@,"error":"no"}',
  'null as error': '{"jsonrpc":"2.0","id":@ID@,"error":null}',
  'neither a result nor an error': '{"jsonrpc":"2.0","id":@ID@}',
  'a text as result': '{"jsonrpc":"2.0","id":@ID@,"result":"yes"}',
  'a list as result': '{"jsonrpc":"2.0","id":@ID@,"result":[1]}',
  'a prototype as result': '{"jsonrpc":"2.0","id":@ID@,"result":{"__proto__":{"isError":true},"content":[]}}',
  'duplicate keys': '{"jsonrpc":"2.0","id":@ID@,"result":{"content":1,"content":[]},"result":{"content":[]}}',
  'lone surrogates':
    '{"jsonrpc":"2.0","id":@ID@,"result":{"content":[{"type":"text","text":"\\ud800"}],"\\udfff":"\\udbff"}}',
  'a number beyond all bounds': '{"jsonrpc":"2.0","id":@ID@,"result":{"content":[],"structuredContent":{"n":1e999}}}',
};
