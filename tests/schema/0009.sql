-- A database as askuser 0.1.0 wrote it (schema 9). Never changed.
PRAGMA foreign_keys = OFF;
PRAGMA application_id = 1095977813;
BEGIN TRANSACTION;
CREATE TABLE answer_link (
    n INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    ask BLOB NOT NULL,
    user INTEGER NOT NULL REFERENCES user (n),
    channel TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER
) STRICT;
CREATE TABLE ask (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    session INTEGER NOT NULL REFERENCES session (n),
    owner TEXT NOT NULL,
    round INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    -- 0 open, 1 ended and not handed over yet, 2 handed over (or never to be).
    standing INTEGER NOT NULL CHECK (standing IN (0, 1, 2)),
    state TEXT NOT NULL,
    deadline INTEGER,
    idempotency_key TEXT,
    -- The number of the fact that ended it.
    closed INTEGER,
    outcome TEXT,
    sheet TEXT,
    late TEXT,
    dropped TEXT
, erased_at INTEGER, people TEXT) STRICT;
INSERT INTO "ask" VALUES(1,X'01A1E421AE7B70009A7EA8A98C395380',1,'local',1,1,1,'closed',NULL,NULL,4,'{"ending":{"answered":"person"},"by":{"user":"local","channel":"api","proof":"key_file"},"at":1794828775070,"answers":[{"question":"q1","picked":["a"]}]}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(2,X'01A1E421AEB970008315A5B9FDEA4BE2',1,'local',2,1,1,'closed',NULL,NULL,7,'{"ending":"declined","by":{"user":"local","channel":"api","proof":"key_file"},"at":1794828775315,"comment":"not now","answers":[{"question":"q2","skipped":true}]}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(3,X'01A1E421AFAF70009CD62D7C3C50E68E',1,'local',3,1,2,'completed',1794828776343,NULL,10,'{"ending":{"expired":{"told_as":"timeout","abort":false}},"by":{"channel":"server","proof":"server"},"at":1794828776343,"answers":[{"question":"q3","skipped":true}]}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(4,X'01A1E421B3B470009D855308A28BD900',2,'local',1,1,0,'showing',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(5,X'01A1E421B3D870008AA122DD00F88305',1,'local',4,1,0,'showing',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE ask_body (
    n INTEGER PRIMARY KEY,
    body TEXT NOT NULL
) STRICT;
INSERT INTO "ask_body" VALUES(1,'{"session":"ses_01M7J23BKVE00RP976591225KF","ask":"ask_01M7J23BKVE009MZN8N663JMW0","owner":"local","round":1,"depth":1,"questions":[{"id":"q1","named_by":"asker","header":"q1","text":"q1?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","reply_in":"full"},"fingerprint":"1ee8a8921906f20daf7519783179d978","asked_at":1794828775035,"state":"pending"}');
INSERT INTO "ask_body" VALUES(2,'{"session":"ses_01M7J23BKVE00RP976591225KF","ask":"ask_01M7J23BNSE00865D5Q7YYMJZ2","owner":"local","round":2,"depth":1,"questions":[{"id":"q2","named_by":"asker","header":"q2","text":"q2?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","reply_in":"full"},"fingerprint":"62b0e06ba2b57a0059fafafc143eb32d","asked_at":1794828775097,"state":"pending"}');
INSERT INTO "ask_body" VALUES(3,'{"session":"ses_01M7J23BKVE00RP976591225KF","ask":"ask_01M7J23BXFE009SNHDFGY51SME","owner":"local","round":3,"depth":1,"questions":[{"id":"q3","named_by":"asker","header":"q3","text":"q3?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","timeout":[1,0],"reply_in":"full"},"fingerprint":"1b3de9c6e16293ad210aa578b796a495","asked_at":1794828775343,"deadline":1794828776343,"state":"pending"}');
INSERT INTO "ask_body" VALUES(4,'{"session":"ses_01M7J23CXME00SWABQBXVFTBAA","ask":"ask_01M7J23CXME009V1AK12H8QP80","owner":"local","round":1,"depth":1,"questions":[{"id":"q1","named_by":"asker","header":"q1","text":"q1?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","reply_in":"full"},"fingerprint":"1ee8a8921906f20daf7519783179d978","asked_at":1794828776372,"state":"pending","reopens":"ask_01M7J23BKVE009MZN8N663JMW0"}');
INSERT INTO "ask_body" VALUES(5,'{"session":"ses_01M7J23BKVE00RP976591225KF","ask":"ask_01M7J23CYRE008N892VM0FH0R5","owner":"local","round":4,"depth":1,"questions":[{"id":"q5","named_by":"asker","header":"q5","text":"q5?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","reply_in":"full"},"fingerprint":"b810e0db75629152e4949a7258948671","asked_at":1794828776408,"state":"pending"}');
CREATE TABLE ask_question (
    session INTEGER NOT NULL,
    question TEXT NOT NULL,
    ask INTEGER NOT NULL,
    PRIMARY KEY (session, question, ask)
) STRICT, WITHOUT ROWID;
INSERT INTO "ask_question" VALUES(1,'q1',1);
INSERT INTO "ask_question" VALUES(1,'q2',2);
INSERT INTO "ask_question" VALUES(1,'q3',3);
INSERT INTO "ask_question" VALUES(1,'q5',5);
INSERT INTO "ask_question" VALUES(2,'q1',4);
CREATE TABLE browser (
    n INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    user INTEGER NOT NULL REFERENCES user (n),
    endpoint TEXT NOT NULL,
    key BLOB NOT NULL,
    auth BLOB NOT NULL,
    language TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE TABLE cookie (
    n INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    user INTEGER NOT NULL REFERENCES user (n),
    expires_at INTEGER NOT NULL
) STRICT;
CREATE TABLE "fact" (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    session INTEGER NOT NULL,
    -- The fact before it in its session; none for the first.
    before INTEGER,
    ask INTEGER,
    salt BLOB,
    digest BLOB NOT NULL,
    hash BLOB NOT NULL,
    -- None for `asked`: it is the ask's body.
    payload TEXT
) STRICT;
INSERT INTO "fact" VALUES(1,1794828775035,'session_opened',1,NULL,NULL,X'F1DC6A4715068FF31BD15D8A144E9B94',X'634473124F73C4152ACB1349DC7CAFC5F1134431B1B14DD33546E2422BFCA108',X'97F705B517386206BCA912CEC370680B1AE6D9DBFE745C69E37B6AD4CD4DA4E9','{"session":"ses_01M7J23BKVE00RP976591225KF","owner":"local","external_id":"conversation","origin":"named","status":"active","round":0,"created_at":1794828775035,"last_activity":1794828775035}');
INSERT INTO "fact" VALUES(2,1794828775035,'asked',1,1,1,X'4309944C6698A6093F8C9AD7EEB4BDFB',X'A638367F5A5AB2BFA2413D13FA42599521043A296D45ED8348AAFB3664771626',X'31870B7BFF845CF07868DA7ED0B6EAA83F988E6884F18E6D61BD2696664837C2',NULL);
INSERT INTO "fact" VALUES(3,1794828775035,'shown',1,2,1,X'7C5B7F6511104965EB2BDAD010E8659D',X'D9C7E962A5FA1884B97128F5525BD8F903078880337D4DE6C628CB3A28A58E5F',X'E96486EE997D45CB05495D32CF4E4DF9AC9364502439958B540B48A58DD4CD17','{"session":"ses_01M7J23BKVE00RP976591225KF","ask":"ask_01M7J23BKVE009MZN8N663JMW0"}');
INSERT INTO "fact" VALUES(4,1794828775070,'closed',1,3,1,X'8D9DB0CFA74319AD574BD117CBCA2696',X'3A83179D416EFB76F90FD82F4A545024D244913338ABC348260F2CA981E4D401',X'6BE4DC27F12308884DB14B9CAFF78FE127B8605BD3316F313153AA13EEAFD5D6','{"session":"ses_01M7J23BKVE00RP976591225KF","ask":"ask_01M7J23BKVE009MZN8N663JMW0","outcome":{"ending":{"answered":"person"},"by":{"user":"local","channel":"api","proof":"key_file"},"at":1794828775070,"answers":[{"question":"q1","picked":["a"]}]},"from":"127.0.0.1"}');
INSERT INTO "fact" VALUES(5,1794828775097,'asked',1,4,2,X'8E4E2A7E66E72A0B4B559095DC90504A',X'B0EB448E508801CA1CE1545D27F17CFEFE75C984090BF80105696DD9622E06B2',X'D378504A58FE55ACD2EA0A561668CC1BABA751506E60E0C3BC826FAE0F13B5A8',NULL);
INSERT INTO "fact" VALUES(6,1794828775097,'shown',1,5,2,X'E373155FD54527A617A9EEE9A10ED265',X'2BC81D271741E9B50B23EB1B5227B1E2147D3455829AF51D0F195EDF03CD35F8',X'6FC4A5BA3B3D43C7B7CF1BBB397132C9B43554A982C2FB5C672EF8A16DF64989','{"session":"ses_01M7J23BKVE00RP976591225KF","ask":"ask_01M7J23BNSE00865D5Q7YYMJZ2"}');
INSERT INTO "fact" VALUES(7,1794828775315,'closed',1,6,2,X'99014BA82CB5CF2821DC7ED66C877407',X'D24B87F1C73A1F4912228D09A6E31AF1299DDC33E46A1ADF259FA14C10DEE261',X'0537E598360058A692D1F2B33BD9B40C9DA74A4A32B405F12E6EFC118DB7DEBF','{"session":"ses_01M7J23BKVE00RP976591225KF","ask":"ask_01M7J23BNSE00865D5Q7YYMJZ2","outcome":{"ending":"declined","by":{"user":"local","channel":"api","proof":"key_file"},"at":1794828775315,"comment":"not now","answers":[{"question":"q2","skipped":true}]},"from":"127.0.0.1"}');
INSERT INTO "fact" VALUES(8,1794828775343,'asked',1,7,3,X'F36D12EA625A3C55830DB6F4B0595D4C',X'10BEBBC7EEF10FA1EB10F0E72F50141CC87F9B2BE1EE05410023CEC9ED57BC29',X'F13B051B9F0A69E047BDF3FF7FA597E6D3EA5DEBFEFCBE923C57F36D279F7AAA',NULL);
INSERT INTO "fact" VALUES(9,1794828775343,'shown',1,8,3,X'AEAC9D4D9059CB48678BBB9DF4639055',X'A29E08DE14628A7B9BB417B1717D2ABB402263AC26563CAA6DF7092C84D47011',X'EF393B329C03AFEB71A43054D0524DB7A78AA11333F830E15BCC1EC462A75786','{"session":"ses_01M7J23BKVE00RP976591225KF","ask":"ask_01M7J23BXFE009SNHDFGY51SME"}');
INSERT INTO "fact" VALUES(10,1794828776343,'closed',1,9,3,X'7880DCF1394B3C8283D1F3602662A8B0',X'C5FC318764C34A784053FD8470B35055D208AFD8F9D856047C143DD2D38912E5',X'0906794918190F2E0A8A8EA4B143941AB593E4673EB8A3DD2A82E750CFE645B9','{"session":"ses_01M7J23BKVE00RP976591225KF","ask":"ask_01M7J23BXFE009SNHDFGY51SME","outcome":{"ending":{"expired":{"told_as":"timeout","abort":false}},"by":{"channel":"server","proof":"server"},"at":1794828776343,"answers":[{"question":"q3","skipped":true}]}}');
INSERT INTO "fact" VALUES(11,1794828776352,'delivered',1,10,3,X'472DA80C092B8501171330ACEF521330',X'648E6FEFD5F50B15D80E4AE0DBAA1AE9DEF8A02F1BF34165E097300A9F1614D4',X'6EFB99F123E40A51EA89265CE628DFA98938AA31FA061DA21BE7DD40D1DB8262','{"session":"ses_01M7J23BKVE00RP976591225KF","ask":"ask_01M7J23BXFE009SNHDFGY51SME"}');
INSERT INTO "fact" VALUES(12,1794828776352,'acknowledged',1,11,3,X'22B51461D47487660E932AC102591C54',X'E938F75455B138293E24E4F7021EACD2FABD06747659061CDE2B899F3D37362B',X'CFE458BB63F59FB92C27F4BE929D8477A385B8EA80712E7E190E96675E9FDB5D','{"session":"ses_01M7J23BKVE00RP976591225KF","ask":"ask_01M7J23BXFE009SNHDFGY51SME"}');
INSERT INTO "fact" VALUES(13,1794828776372,'session_opened',2,NULL,NULL,X'87E3146AB5BB283B999A42AF1022ADF5',X'01B48B0296F77E12D08357A74EC5D0AFF9EAAF0A508CA0BCC3C6D16A00B2F651',X'FC66D0612EC20209E3DE380DE959458C3EF44C6666D5B0A226FA67BA65548382','{"session":"ses_01M7J23CXME00SWABQBXVFTBAA","owner":"local","origin":{"restored":"ses_01M7J23BKVE00RP976591225KF"},"status":"active","round":0,"created_at":1794828776372,"last_activity":1794828776372}');
INSERT INTO "fact" VALUES(14,1794828776372,'asked',2,13,4,X'A79819A16CDCB7B152ADD8F2892CB19A',X'385F814640678B5B2313763BAE3D9E40D5F29DADE0EF9F292240AF5DC036211A',X'2313939A13548E53AF355858E243575DA6FD188F70AF780A0C776D5101147A49',NULL);
INSERT INTO "fact" VALUES(15,1794828776372,'shown',2,14,4,X'8FBE30979475C91003BBFA0A1992474B',X'47E0159E67D662E50BF6F2944C7BEE74C88A1821ECDA450E04218144D3CD7031',X'A935F7F16CCC0AE89ADBC424A53166B0D6287E334FFE707B193E3547896C7D3A','{"session":"ses_01M7J23CXME00SWABQBXVFTBAA","ask":"ask_01M7J23CXME009V1AK12H8QP80"}');
INSERT INTO "fact" VALUES(16,1794828776408,'asked',1,12,5,X'1F42B4882539E88135E6D3EF50875164',X'AD9A82206598D3D146456378230F039EA63F28577B86053287227AC123386770',X'F52740D254F8200983EB88B4EF439636E2A01D45909E6A6D51AE9F6F05C591CF',NULL);
INSERT INTO "fact" VALUES(17,1794828776408,'shown',1,16,5,X'15822EDA6E3D9B3B63474F6C7F6A5D19',X'FB3588DAE6E908F099A7B2ECA9E85CE7C67550137051759744A12CF1CBD28311',X'04E19B7EB132FE00F9EDF7114CD026A42AB5656DD28A2CFAE1B3E00A3722F193','{"session":"ses_01M7J23BKVE00RP976591225KF","ask":"ask_01M7J23CYRE008N892VM0FH0R5"}');
INSERT INTO "fact" VALUES(18,1794828776671,'session_opened',3,NULL,NULL,X'5C631E4D90CF0E8A355902EBB4F35F83',X'FCC231AECDACD7238003D2D55C5BFCCA3D1859C9408ED7E75AC2BB3B963016A2',X'21759A132FBCBF12D033E4D88EBDA660B6D3DFEB17BB097EBC2E59DECD1E7BAD','{"session":"ses_01M7J23D6ZE00R2XGZ9WWX7VMT","owner":"local","origin":"named","status":"active","round":0,"created_at":1794828776671,"last_activity":1794828776671}');
INSERT INTO "fact" VALUES(19,1794828776671,'task_changed',3,18,NULL,X'2CF3520EC2053D0A1C6D199E9C12990F',X'53524F7242C01A60C28D222BFAB84F8876EB077BBA4D3D7E5331549904EA0034',X'F94514E88BCD3EE4B173112D2EBF2E9E3AB5038F27ADE50A2178EA395C535E9A','{"session":"ses_01M7J23D6ZE00R2XGZ9WWX7VMT","by":{"user":"local","channel":"api","proof":"key_file"},"task":{"task":"task_01M7J23D6ZE00BFZAD32N0RQF1","session":"ses_01M7J23D6ZE00R2XGZ9WWX7VMT","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"queued","n_runs":1,"server":"srv_255H2K1Y50KKC93VN0HY2QN41Q","created_at":1794828776671,"changed_at":1794828776671}}');
INSERT INTO "fact" VALUES(20,1794828776671,'said',3,19,NULL,X'C5E9DB4963659CBB1CA591C5F761213F',X'1FC11A338251DB1A13ACA9B7C8816E5CFA5F061B412B06B2D5E7D4516901BA8B',X'852DD18CAD8E0B1F1AA855D61A2D704E2FA5A7123EDC99CFF41350760CC2DE61','{"session":"ses_01M7J23D6ZE00R2XGZ9WWX7VMT","uuid":"01a1e421-b4df-7002-a855-9118d68b8cf2","round":0,"at":1794828776671,"kind":"text","text":"look around","by":"person"}');
INSERT INTO "fact" VALUES(21,1794828776675,'task_changed',3,20,NULL,X'663D60CEFA7900F7E4642BB770AF9BC8',X'12BC35286BEC43C482467C48C4DFB016225045B08D90F502F3C4B3138FF78CF0',X'D45B5C7BE5FF5672EBD250986607B75CB9E1BB56E403A465F468A274BE3A989A','{"session":"ses_01M7J23D6ZE00R2XGZ9WWX7VMT","by":{"channel":"server","proof":"server"},"task":{"task":"task_01M7J23D6ZE00BFZAD32N0RQF1","session":"ses_01M7J23D6ZE00R2XGZ9WWX7VMT","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"running","n_runs":1,"server":"srv_255H2K1Y50KKC93VN0HY2QN41Q","pid":6707,"pid_started":5609952,"created_at":1794828776671,"changed_at":1794828776675}}');
INSERT INTO "fact" VALUES(22,1794828776679,'said',3,21,NULL,X'1A873A02C3F2945020A2D0827FA85BE4',X'AE28DEC007A6C7B253AD620AD9D4C178E22BC5FCBCFCC15A6E9351D8DBCC0254',X'1A225016961932ACC4E496F6D654EA242CC383AA706E0962ED3C9C89B4FDE5CE','{"session":"ses_01M7J23D6ZE00R2XGZ9WWX7VMT","uuid":"01a1e421-b4e6-7000-8cd5-9e239d41d2a8","parent":"01a1e421-b4df-7002-a855-9118d68b8cf2","round":0,"at":1794828776679,"kind":"error","text":"the agent ended before its work was done (exit status: 98): expected @ANY@\nbut heard {\"type\":\"control_request\",\"request_id\":\"askuser-initialize\",\"request\":{\"subtype\":\"initialize\"}}"}');
INSERT INTO "fact" VALUES(23,1794828776681,'task_changed',3,22,NULL,X'B6D4D75988196E0C96DAB74C29F505E4',X'05E182A51B9D786FC19002C8BAF0C7BFD802B4C77C37ACA82E0295E057B00244',X'17A2FE3A60135F224120896730EBF68767FFA7A7FE5ED82831435B980A07C5FE','{"session":"ses_01M7J23D6ZE00R2XGZ9WWX7VMT","by":{"channel":"server","proof":"server"},"task":{"task":"task_01M7J23D6ZE00BFZAD32N0RQF1","session":"ses_01M7J23D6ZE00R2XGZ9WWX7VMT","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"failed","reason":"the agent ended before its work was done (exit status: 98): expected @ANY@\nbut heard {\"type\":\"control_request\",\"request_id\":\"askuser-initialize\",\"request\":{\"subtype\":\"initialize\"}}","n_runs":1,"server":"srv_255H2K1Y50KKC93VN0HY2QN41Q","created_at":1794828776671,"changed_at":1794828776681}}');
CREATE TABLE head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO "head" VALUES(1,23,X'17A2FE3A60135F224120896730EBF68767FFA7A7FE5ED82831435B980A07C5FE');
CREATE TABLE key (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    hash BLOB NOT NULL UNIQUE,
    role TEXT NOT NULL CHECK (role IN ('agent', 'person', 'admin')),
    user INTEGER NOT NULL REFERENCES user (n),
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;
INSERT INTO "key" VALUES(1,X'01A1E421AE257000990198C3358D5A92',X'007D1673DD1C8AB511F23F0DCD083326A172030306F5061136B2223A6302B354','agent',1,'local',1794828774949,NULL);
INSERT INTO "key" VALUES(2,X'01A1E421AE31700091DA983085FDECDB',X'0781CBCBA5C7F2E7BCC4A333410E34D6DFB4DE47407D27BBDCD5D2E337B31EA3','person',1,'local',1794828774961,NULL);
INSERT INTO "key" VALUES(3,X'01A1E421AE3770009497414DFA71F8EE',X'DE095A1060BD2FB9CCE981FD725A0F371273BA08AD6F7EE90836DF1B60F4D7B5','admin',1,'local',1794828774967,NULL);
INSERT INTO "key" VALUES(4,X'01A1E421B4C870009AEE7F03F1F3248E',X'B5F3933E4FDC6FF928EEFC34F83BDB2813FB7E3F610081D2E4CC03CB5D5DAB82','agent',2,'made by hand',1794828776648,NULL);
CREATE TABLE login_link (
    n INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    user INTEGER NOT NULL REFERENCES user (n),
    expires_at INTEGER NOT NULL
) STRICT;
CREATE TABLE nudge (
    n INTEGER PRIMARY KEY,
    ask BLOB NOT NULL,
    person TEXT NOT NULL,
    step INTEGER NOT NULL,
    channel TEXT NOT NULL,
    at INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('trying', 'waiting', 'sent', 'over')),
    receipt TEXT,
    UNIQUE (ask, person, step, channel)
) STRICT;
CREATE TABLE push_key (
    n INTEGER PRIMARY KEY CHECK (n = 1),
    pkcs8 BLOB NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE schema_migration (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    applied_at INTEGER NOT NULL,
    program TEXT NOT NULL
) STRICT;
INSERT INTO "schema_migration" VALUES(1,'first','779101552a9b76296edf599c84b60add43d0a032bca6b269bf4467c275213db0',1794828774861,'0.1.0');
INSERT INTO "schema_migration" VALUES(2,'restore','5d17a5626bd19cf04a8606b71512d07d7fe044b5ad066e9bc0540ea9bc696987',1794828774861,'0.1.0');
INSERT INTO "schema_migration" VALUES(3,'threads','b59415a3306ea0cc15d01e3f39ab670140878b8c649c85975af90adbc68bc2d1',1794828774861,'0.1.0');
INSERT INTO "schema_migration" VALUES(4,'tasks','3bcb7eb16d60d44cf1f139be85ff173836859363d39e7fbb197af6a7ef1b59e2',1794828774861,'0.1.0');
INSERT INTO "schema_migration" VALUES(5,'audit','c98e22eadc28081478213b19d3c691a6e4c3fa0809c4d75ebbe91a7a36aea3ca',1794828774861,'0.1.0');
INSERT INTO "schema_migration" VALUES(6,'servers','7a64fdea78f8d0d59020d408973ce50d8c1a740036d1cbf2fe89010a01bcdc90',1794828774861,'0.1.0');
INSERT INTO "schema_migration" VALUES(7,'people','b4fa2e66a04ce215edf9e3bab9fe4f0933920da8b562c1abb427a94d63a79815',1794828774861,'0.1.0');
INSERT INTO "schema_migration" VALUES(8,'nudges','e5258a6e17a2afd02ac5818f7578168333756afa7fc9c56f558a8395494bf63c',1794828774861,'0.1.0');
INSERT INTO "schema_migration" VALUES(9,'push','d28aae69be8d683cce8619d595412841a249723bf6f2c56cab0d4f3cc89daffa',1794828774861,'0.1.0');
CREATE TABLE security_event (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    severity TEXT NOT NULL CHECK (severity IN ('low', 'medium', 'high')),
    -- What is known of it, as JSON.
    details TEXT NOT NULL,
    hash BLOB NOT NULL
) STRICT;
CREATE TABLE security_head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO "security_head" VALUES(1,0,X'0000000000000000000000000000000000000000000000000000000000000000');
CREATE TABLE session (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    external_id TEXT,
    -- 0 for the session that holds the name now, its own `n` for one whose name was taken over.
    superseded INTEGER NOT NULL DEFAULT 0,
    origin TEXT NOT NULL CHECK (origin IN ('named', 'derived', 'restored')),
    restored_from BLOB,
    status TEXT NOT NULL CHECK (status IN ('active', 'completed', 'timeout')),
    round INTEGER NOT NULL,
    total_rounds INTEGER,
    created_at INTEGER NOT NULL,
    last_activity INTEGER NOT NULL,
    last_fingerprint BLOB,
    last_depth INTEGER,
    last_at INTEGER,
    n_open INTEGER NOT NULL
, restore_reason TEXT, last_fact INTEGER) STRICT;
INSERT INTO "session" VALUES(1,X'01A1E421AE7B70018B24E62A4221166F','local','conversation',0,'named',NULL,'active',4,NULL,1794828775035,1794828776408,X'B810E0DB75629152E4949A7258948671',1,1794828776408,1,NULL,17);
INSERT INTO "session" VALUES(2,X'01A1E421B3B470019E29775F76FD2D4A','local',NULL,0,'restored',X'01A1E421AE7B70018B24E62A4221166F','active',1,NULL,1794828776372,1794828776372,X'1EE8A8921906F20DAF7519783179D978',1,1794828776372,1,NULL,15);
INSERT INTO "session" VALUES(3,X'01A1E421B4DF700181761F4F39D3EE9A','local',NULL,0,'named',NULL,'active',0,NULL,1794828776671,1794828776681,NULL,NULL,NULL,0,NULL,23);
CREATE TABLE task (
    session INTEGER PRIMARY KEY REFERENCES session (n),
    id BLOB NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'stopped', 'interrupted')),
    -- Everything else that is known of it.
    body TEXT NOT NULL,
    -- The message that the next one follows.
    last_message BLOB
, server BLOB) STRICT;
INSERT INTO "task" VALUES(3,X'01A1E421B4DF7000B7FD4D18AA0C5DE1','local','failed','{"task":"task_01M7J23D6ZE00BFZAD32N0RQF1","session":"ses_01M7J23D6ZE00R2XGZ9WWX7VMT","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"failed","reason":"the agent ended before its work was done (exit status: 98): expected @ANY@\nbut heard {\"type\":\"control_request\",\"request_id\":\"askuser-initialize\",\"request\":{\"subtype\":\"initialize\"}}","n_runs":1,"server":"srv_255H2K1Y50KKC93VN0HY2QN41Q","created_at":1794828776671,"changed_at":1794828776681}',X'01A1E421B4E670008CD59E239D41D2A8',X'452C4530F8A09CD891EEA08F857A9037');
CREATE TABLE user (
    n INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    disabled_at INTEGER
) STRICT;
INSERT INTO "user" VALUES(1,'local',1794828774946,NULL);
INSERT INTO "user" VALUES(2,'ben',1794828776630,NULL);
CREATE UNIQUE INDEX session_name ON session (owner, external_id, superseded) WHERE external_id IS NOT NULL;
CREATE INDEX session_owner ON session (owner);
CREATE INDEX session_counted ON session (owner) WHERE n_open > 0 AND origin <> 'derived';
CREATE INDEX session_live ON session (created_at) WHERE status = 'active';
CREATE INDEX ask_open ON ask (owner) WHERE standing = 0;
CREATE INDEX ask_deadline ON ask (deadline) WHERE standing = 0 AND deadline IS NOT NULL;
CREATE INDEX ask_key ON ask (owner, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX cookie_expiry ON cookie (expires_at);
CREATE INDEX login_link_expiry ON login_link (expires_at);
CREATE INDEX ask_unfetched ON ask (session, standing) WHERE standing < 2;
CREATE INDEX task_owner ON task (owner);
CREATE INDEX task_alive ON task (state) WHERE state IN ('queued', 'running');
CREATE INDEX ask_ended ON ask (closed) WHERE closed IS NOT NULL AND erased_at IS NULL;
CREATE INDEX ask_for_others ON ask (n) WHERE standing = 0 AND people IS NOT NULL;
CREATE INDEX nudge_receipt ON nudge (person, channel, receipt) WHERE receipt IS NOT NULL;
CREATE INDEX answer_link_expiry ON answer_link (expires_at);
CREATE INDEX browser_user ON browser (user);
COMMIT;
