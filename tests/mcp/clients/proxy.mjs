// Stands before the desk and adds the agent's key, for clients that cannot send one of their own.
// Everything else goes through as it came, the Host and the Origin too.
//
//   node proxy.mjs http://127.0.0.1:PORT KEY_FILE     prints its own address
import http from 'node:http';
import { readFileSync } from 'node:fs';

const desk = new URL(process.argv[2]);
const key = readFileSync(process.argv[3], 'utf8').trim();

const server = http.createServer((from, to) => {
  const headers = { ...from.headers, authorization: `Bearer ${key}` };
  const options = { host: desk.hostname, port: desk.port, path: from.url, method: from.method, headers };
  const call = http.request(options, (answer) => {
    to.writeHead(answer.statusCode, answer.headers);
    answer.pipe(to);
  });
  call.on('error', () => to.destroy());
  to.on('close', () => call.destroy());
  from.pipe(call);
});
server.requestTimeout = 0;
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
