'use strict';
(() => {
  // The theme is in the query of the address, which links within the report keep.
  const root = document.documentElement;
  const theme = new URLSearchParams(location.search).get('theme');
  root.classList.add('script');
  if (theme === 'dark' || theme === 'light') root.dataset.theme = theme;

  const keepTheme = event => {
    const link = event.target.closest('a[href]');
    if (link && location.search && link.protocol === location.protocol && !link.getAttribute('href').startsWith('#')) link.search = location.search;
  };

  const toggleTheme = () => {
    const dark = theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    location.replace(location.pathname + '?theme=' + (dark ? 'light' : 'dark') + location.hash);
  };

  const figure = x => {
    const a = Math.abs(x);
    if (x === 0) return '0';
    if (a === Infinity) return x > 0 ? '∞' : '−∞';
    if (a < 1e-3 || a >= 999500) return x.toExponential(2).replace(/e([-+])(\d)$/, 'e$10$2');
    if (a >= 99.95) return x.toFixed(0);
    return x.toPrecision(3);
  };
  const duration = ns => {
    let unit = 'ns';
    for (const next of ['µs', 'ms', 's']) {
      if (ns < 999.5) break;
      ns /= 1000;
      unit = next;
    }
    return figure(ns) + ' ' + unit;
  };
  const grouped = n => String(n).replace(/\B(?=(\d{3})+$)/g, ',');
  const ranks = ['error', 'fail', 'expected', 'waived', 'skip', 'pass'];

  // A list is filtered, sorted and walked through. What it shows is in the hash of
  // the address, so that it outlives a reload and the way back from a case. Its
  // model has count, name(i), text(i), status(i), value(i, key), href(i),
  // show(order) and mark(i, at), with -1 for none.
  class List {
    constructor(element, model) {
      this.element = element;
      this.model = model;
      this.form = element.querySelector('form');
      this.heads = [...element.querySelectorAll('th[data-key]')];
      for (const head of this.heads) this.addSort(head);
      this.form.addEventListener('submit', event => event.preventDefault());
      this.form.q.addEventListener('input', () => this.change({q: this.form.q.value}));
      this.form.status.addEventListener('change', () => this.change({status: this.form.status.value}, true));
      addEventListener('hashchange', () => this.load());
      this.load();
      // Who follows a link to a part of the list wants to see it.
      if (location.hash.includes('=') && element.getBoundingClientRect().top > innerHeight / 2) element.scrollIntoView();
    }

    addSort(head) {
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener('click', () => {
        const same = this.state.sort === head.dataset.key;
        const first = head.classList.contains('n') ? 'down' : 'up';
        const other = first === 'up' ? 'down' : 'up';
        if (same && this.state.dir === other) this.change({sort: '', dir: ''}, true);
        else this.change({sort: head.dataset.key, dir: same ? other : first}, true);
      });
    }

    load() {
      const hash = location.hash.includes('=') ? new URLSearchParams(location.hash.slice(1)) : new URLSearchParams();
      const state = {};
      for (const key of ['q', 'status', 'sort', 'dir', 'sel']) state[key] = hash.get(key) || '';
      if (this.state && JSON.stringify(state) === JSON.stringify(this.state)) return;
      this.state = state;
      if (this.form.q.value !== state.q) this.form.q.value = state.q;
      this.form.status.value = state.status;
      this.apply();
    }

    // change enters what is new in the address; one that is kept can be gone back from.
    change(news, kept) {
      Object.assign(this.state, news);
      const hash = new URLSearchParams();
      for (const [key, value] of Object.entries(this.state)) if (value) hash.set(key, value);
      const address = '#' + (hash.toString() || 'all=');
      if (kept) location.hash = address;
      else location.replace(address);
      if ('sel' in news && Object.keys(news).length === 1) this.mark();
      else this.apply();
    }

    apply() {
      const words = this.state.q.toLowerCase().split(/\s+/).filter(Boolean);
      const order = [];
      for (let i = 0; i < this.model.count; i++) {
        if (this.state.status && this.model.status(i) !== this.state.status) continue;
        const text = words.length ? this.model.text(i) : '';
        if (words.every(word => text.includes(word))) order.push(i);
      }
      if (this.state.sort) this.sort(order);
      for (const head of this.heads) {
        if (head.dataset.key === this.state.sort) head.setAttribute('aria-sort', this.state.dir === 'down' ? 'descending' : 'ascending');
        else head.removeAttribute('aria-sort');
      }
      this.order = order;
      this.form.shown.textContent = grouped(order.length) + ' of ' + grouped(this.model.count);
      this.model.show(order);
      this.mark();
    }

    sort(order) {
      const sign = this.state.dir === 'down' ? -1 : 1;
      const key = this.state.sort;
      const value = i => this.model.value(i, key);
      order.sort((i, j) => {
        const a = value(i), b = value(j);
        return a < b ? -sign : a > b ? sign : i - j;
      });
    }

    mark() {
      this.at = this.state.sel ? this.order.findIndex(i => this.model.name(i) === this.state.sel) : -1;
      this.model.mark(this.at < 0 ? -1 : this.order[this.at], this.at);
    }

    select(at) {
      if (at >= 0 && at < this.order.length) this.change({sel: this.model.name(this.order[at])});
    }

    key(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target.closest('input, select, textarea')) {
        if (event.key === 'Escape') event.target.blur();
        return;
      }
      if (event.key === '/') this.form.q.focus();
      else if (event.key === 'j') this.select(this.at + 1);
      else if (event.key === 'k') this.select(this.at - 1);
      else if (event.key === 'Enter' && this.at >= 0 && !event.target.closest('a, button, summary')) {
        location.assign(this.model.href(this.order[this.at]).replace(/(#|$)/, location.search + '$1'));
      } else return;
      event.preventDefault();
    }
  }

  // tableModel is a table whose rows are all in the page.
  const tableModel = table => {
    const body = table.tBodies[0];
    const keys = [...table.tHead.rows[0].cells].map(head => head.dataset.key || '');
    const numeric = [...table.tHead.rows[0].cells].map(head => head.classList.contains('n'));
    const rows = [...body.rows];
    const name = i => (rows[i].querySelector('th a') || rows[i].querySelector('th')).textContent;
    const texts = rows.map(row => (row.querySelector('th').textContent + ' ' + (row.lastElementChild.querySelector('details') ? '' : row.lastElementChild.textContent)).toLowerCase());
    const model = {
      count: rows.length,
      name,
      text: i => texts[i],
      status: i => rows[i].dataset.status,
      href: i => (rows[i].querySelector('th a') || {getAttribute: () => '#' + rows[i].id}).getAttribute('href'),
      value: (i, key) => {
        if (key === 'verdict') return ranks.indexOf(rows[i].dataset.status);
        const column = keys.indexOf(key), cell = rows[i].cells[column];
        if (!numeric[column]) return cell.textContent;
        const x = parseFloat(cell.dataset.value || cell.textContent.replaceAll(',', ''));
        return Number.isNaN(x) ? -1 : x;
      },
      show: order => {
        const kept = new Set(order);
        rows.forEach((row, i) => { row.hidden = !kept.has(i); });
        body.append(...order.map(i => rows[i]));
      },
      mark: i => {
        rows.forEach((row, j) => { row.classList.toggle('selected', i === j); if (i === j) row.setAttribute('aria-current', 'true'); else row.removeAttribute('aria-current'); });
        if (i >= 0) rows[i].scrollIntoView({block: 'nearest'});
      },
    };
    return model;
  };

  // dataModel is a list of any length, of which only what is in sight is in the page.
  const dataModel = (element, data) => {
    const height = 28, spare = 10;
    const frame = element.querySelector('.window'), table = frame.querySelector('table'), body = table.tBodies[0];
    const texts = data.n.map((name, i) => (data.kernels[data.k[i]] + '/' + name).toLowerCase());
    const name = i => data.kernels[data.k[i]] + (data.n[i] === data.kernels[data.k[i]] ? '' : '/' + data.n[i]);
    const columns = {elements: data.e, time: data.t};
    for (const metric of data.m) columns[metric.key] = metric.v;
    const href = i => data.p[i] || data.pages[data.k[i]] + '#c' + i;
    let order = [], marked = -1;
    const cell = (row, text, numeric) => {
      const td = row.insertCell();
      td.textContent = text;
      if (numeric) td.className = 'n';
      return td;
    };
    const spacer = rows => {
      const row = document.createElement('tr');
      row.className = 'spacer';
      row.setAttribute('aria-hidden', 'true');
      row.style.height = rows * height + 'px';
      return row;
    };
    const draw = (i, at) => {
      const row = document.createElement('tr'), status = data.statuses[data.s[i]];
      row.setAttribute('aria-rowindex', at + 2);
      if (i === marked) { row.className = 'selected'; row.setAttribute('aria-current', 'true'); }
      const verdict = document.createElement('span');
      verdict.className = 'v ' + status;
      verdict.textContent = data.glyphs[data.s[i]] + ' ' + status;
      cell(row, '').append(verdict);
      const head = document.createElement('th'), link = document.createElement('a');
      head.scope = 'row';
      link.href = href(i);
      link.textContent = name(i);
      head.append(link);
      row.append(head);
      for (const metric of data.m) cell(row, metric.v[i] === null || Math.abs(metric.v[i]) === Infinity ? '–' : figure(metric.v[i]), true);
      cell(row, grouped(data.e[i]), true);
      cell(row, duration(data.t[i]), true);
      row.addEventListener('click', event => { if (!event.target.closest('a')) list.select(at); });
      return row;
    };
    const redraw = () => {
      const first = Math.max(Math.floor(frame.scrollTop / height) - spare, 0);
      const last = Math.min(first + Math.ceil(frame.clientHeight / height) + 2 * spare, order.length);
      const rows = [spacer(first)];
      for (let at = first; at < last; at++) rows.push(draw(order[at], at));
      rows.push(spacer(order.length - last));
      body.replaceChildren(...rows);
    };
    frame.addEventListener('scroll', redraw);
    addEventListener('resize', redraw);
    let list = null;
    return {
      count: data.n.length, name, href,
      bind: l => { list = l; },
      text: i => texts[i],
      status: i => data.statuses[data.s[i]],
      value: (i, key) => key === 'name' ? texts[i] : key === 'verdict' ? ranks.indexOf(data.statuses[data.s[i]]) : columns[key][i] ?? -1,
      show: o => {
        order = o;
        table.setAttribute('aria-rowcount', order.length + 1);
        frame.scrollTop = 0;
        redraw();
      },
      mark: (i, at) => {
        marked = i;
        if (at >= 0) {
          const top = at * height, head = table.tHead.offsetHeight;
          if (top < frame.scrollTop) frame.scrollTop = top;
          else if (top + height + head > frame.scrollTop + frame.clientHeight) frame.scrollTop = top + height + head - frame.clientHeight;
        }
        redraw();
        const said = element.querySelector('p.selected');
        if (i >= 0) {
          const code = document.createElement('code');
          code.textContent = data.replays[data.r[i]].replaceAll('{}', name(i));
          said.replaceChildren('Repeat ', code);
        }
      },
    };
  };

  // pointAt says what the cell of a map under the pointer is.
  const pointAt = svg => {
    const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    const {cells, columns, rows} = svg.dataset, frame = svg.querySelector('.frame'), said = svg.parentElement.querySelector('.under');
    svg.addEventListener('pointermove', event => {
      const box = frame.getBoundingClientRect();
      const x = Math.floor((event.clientX - box.left) / box.width * columns), y = Math.floor((event.clientY - box.top) / box.height * rows);
      if (x < 0 || y < 0 || x >= columns || y >= rows) return;
      const level = digits.indexOf(cells[y * columns + x]);
      const error = level === 0 ? 'not judged' : level === 1 ? 'no error' : level === 63 ? 'more than 30 × bound' : 'at most ' + figure(2 ** ((level - 42) / 4)) + ' × bound';
      said.textContent = 'cell ' + y + ', ' + x + ': ' + error;
    });
  };

  // follow loads the page again when the server has a newer one. Its filter, order and place are in
  // the address.
  const follow = () => {
    const meta = document.querySelector('meta[name=conform-generation]');
    if (!meta) return;
    const [path, generation] = meta.content.split(' ');
    setInterval(async () => {
      try {
        if (await (await fetch(path)).text() !== generation) location.reload();
      } catch {} // the server has ended: the page stays
    }, 2000);
  };

  addEventListener('DOMContentLoaded', () => {
    follow();
    document.addEventListener('click', keepTheme, true);
    document.addEventListener('auxclick', keepTheme, true);
    document.getElementById('theme').addEventListener('click', toggleTheme);
    for (const svg of document.querySelectorAll('svg.map')) pointAt(svg);
    for (const button of document.querySelectorAll('button.copy')) {
      button.addEventListener('click', () => {
        getSelection().selectAllChildren(button.parentElement.querySelector('code'));
        document.execCommand('copy');
        button.textContent = 'Copied';
      });
    }
    const element = document.querySelector('.list');
    if (!element) return;
    const data = document.getElementById('data');
    const model = data ? dataModel(element, JSON.parse(data.textContent)) : tableModel(element.querySelector('table'));
    const list = new List(element, model);
    if (model.bind) model.bind(list);
    document.addEventListener('keydown', event => list.key(event));
  });
})();
